/** GET /v1/designs, and /v1/projects: the designs of an account, listed, and deleted as projects. */
import { z } from 'zod';
import { projectNotFound } from '../../designs/erase-designs.ts';
import type { DesignPosition, Project } from '../../designs/project-store.ts';
import { optional } from '../../optional.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { designSchema, toDesignAnswer } from '../design-answer.ts';
import { projectField } from '../photo-fields.ts';

const mostPerPage = 100;

const query = z.object({
  project: projectField.optional().describe('Only the designs of this project.'),
  after: optional(
    z
      .string()
      .regex(/^\d{1,15}\.[0-9A-Za-z_]{1,100}$/, 'Needs the `next` of an earlier page.')
      .transform(toPosition),
    '`next` of the previous page.',
  ),
  limit: z.coerce.number().int().min(1).max(mostPerPage).default(mostPerPage),
});

const designsSchema = z
  .object({
    designs: z.array(designSchema).describe('Newest first.'),
    next: z.string().nullable().describe('Send it as `after` to get the next page; null on the last page.'),
  })
  .meta({ id: 'DesignPage' });

const projectSchema = z
  .object({
    name: z.string(),
    designs: z.int().describe('Number of its designs.'),
    firstAt: z.iso.datetime().describe('When the first of these was uploaded.'),
    lastAt: z.iso.datetime(),
  })
  .meta({ id: 'Project' });
const projectsSchema = z
  .object({ projects: z.array(projectSchema).describe('The one with the newest design first.') })
  .meta({ id: 'Projects' });
const erasedSchema = z
  .object({ deleted: z.int().describe('Number of deleted designs.') })
  .meta({ id: 'ErasedProject' });
const newNameBody = z.strictObject({ name: projectField }).meta({ id: 'NewProjectName' });

const params = z.object({ name: projectField });

export function addProjects(server: Server, rooms: ServerDependencies): void {
  addLists(server, rooms);
  addProjectChanges(server, rooms);
}

function addLists(server: Server, { projects }: ServerDependencies): void {
  server.get(
    '/v1/designs',
    {
      config: { scope: 'upload', operation: 'designs' },
      schema: {
        operationId: 'listDesigns',
        summary: 'The designs of your account',
        description: 'Listing does not count as use: it does not put off when a design expires.',
        tags: ['Designs'],
        querystring: query,
        response: { 200: designsSchema },
      },
    },
    async (request) => {
      const { limit, ...choice } = request.query;
      const found = await projects.listDesigns(callerOf(request).accountId, { ...choice, limit: limit + 1 });
      const designs = found.slice(0, limit);
      return {
        designs: designs.map(toDesignAnswer),
        next: found.length > limit ? toCursor(designs.at(-1)!) : null,
      };
    },
  );

  server.get(
    '/v1/projects',
    {
      config: { scope: 'upload', operation: 'projects' },
      schema: {
        operationId: 'listProjects',
        summary: 'The projects of your account',
        description:
          'A project is the designs that were uploaded with its name, and exists as long as these do.',
        tags: ['Designs'],
        response: { 200: projectsSchema },
      },
    },
    async (request) => ({
      projects: (await projects.listProjects(callerOf(request).accountId)).map(toAnswer),
    }),
  );
}

function addProjectChanges(server: Server, { projects, eraser, answerOnce }: ServerDependencies): void {
  server.patch(
    '/v1/projects/:name',
    {
      config: { scope: 'upload', operation: 'rename-project' },
      schema: {
        operationId: 'renameProject',
        summary: 'Rename a project',
        description: 'If another project has the new name, the two become one.',
        tags: ['Designs'],
        params,
        body: newNameBody,
        response: { 200: projectSchema },
      },
    },
    async (request) => {
      const { name } = request.params;
      const { name: newName } = request.body;
      const { accountId } = callerOf(request);
      return answerOnce(request, {
        ownerOf: () => newName,
        sent: async () => [name, newName],
        async work() {
          if (!(await projects.findProject(name, accountId))) throw projectNotFound();
          await projects.renameProject(name, newName, accountId);
          const renamed = await projects.findProject(newName, accountId);
          if (!renamed) throw projectNotFound();
          return toAnswer(renamed);
        },
      });
    },
  );

  server.delete(
    '/v1/projects/:name',
    {
      config: { scope: 'upload', operation: 'delete-project' },
      schema: {
        operationId: 'deleteProject',
        summary: 'Delete all designs of a project',
        description:
          'Each design is erased as by `DELETE /v1/design/{id}`, before this responds. Photos of a batch that are not designs yet are not included: cancel the batch first.',
        tags: ['Designs'],
        params,
        response: { 200: erasedSchema },
      },
    },
    async (request) => {
      const { name } = request.params;
      return answerOnce(request, {
        // Not the name, which would stay in the stored response.
        ownerOf: () => 'project',
        sent: async () => [name],
        work: async () => ({ deleted: await eraser.eraseProject(name, callerOf(request).accountId) }),
      });
    },
  );
}

const toAnswer = ({ name, designs, firstAt, lastAt }: Project): z.infer<typeof projectSchema> => ({
  name,
  designs,
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
});

const toCursor = ({ createdAt, id }: DesignPosition) => `${createdAt.getTime()}.${id}`;

function toPosition(cursor: string): DesignPosition {
  const [time = '', id = ''] = cursor.split('.');
  return { createdAt: new Date(Number(time)), id };
}
