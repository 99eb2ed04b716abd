/** Checks the workflows of GitHub Actions with GitHub's own parser: they cannot run anywhere else. */
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { expect, it } from 'vitest';

// The package imports JSON without an import attribute, which Node refuses.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const parser = await import('@actions/workflow-parser');
hooks.deregister();

const folder = new URL('../../.github/workflows/', import.meta.url);

async function findFaults(name: string, content: string): Promise<string[]> {
  const { context, value } = parser.parseWorkflow({ name, content }, new parser.NoOperationTraceWriter());
  if (value) await parser.convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

it.each([...readdirSync(folder), '../../examples/github-action.yml'])(
  '%s is a valid workflow',
  async (name) => {
    expect(await findFaults(name, readFileSync(new URL(name, folder), 'utf8'))).toEqual([]);
  },
);

it('finds faults in a workflow', async () => {
  const wrong = 'on: push\njobs:\n  a:\n    runs-on: x\n    needs: b\n    steps:\n      - usees: x\n';
  expect((await findFaults('wrong.yml', wrong)).join()).toMatch(/usees/);
});
