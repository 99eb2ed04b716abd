/** The reference page at /docs in a real browser: it shows the API, and loads nothing from other hosts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startOwnService } from '../acceptance/service.ts';
import { chromiumPath, launchBrowser, needsChromium } from './browser.ts';

let service: Service;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service?.stop());

describe('/docs', () => {
  it('has the policy of the Studio page plus one hash, so that only its own sources run', async () => {
    const studio = (await fetch(service.url)).headers.get('content-security-policy');
    const policy = (await fetch(`${service.url}/docs`)).headers.get('content-security-policy');
    expect(policy?.replace(/ 'sha256-[^']+'/, '')).toBe(studio);
    expect(policy).not.toMatch(/https?:|unsafe|swagger/);
  });

  it.skipIf(!chromiumPath)(`sends a call without violating the policy${needsChromium}`, async () => {
    const browser = await launchBrowser();
    const page = await browser.newPage({ locale: 'en-US' });
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    const hosts = new Set<string>();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).origin);
    });
    await page.goto(`${service.url}/docs`);
    await page.getByText('/healthz', { exact: true }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.getByText('"status": "ok"').first().waitFor();
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([service.url]);
    await browser.close();
  });
});
