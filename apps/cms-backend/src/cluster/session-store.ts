import type { SessionPatch, SessionPatchResult } from '@detector-cluster/detector-cluster';
import { z } from 'zod';
import { classifyDatabaseError } from '../stores/database-error.js';
import type { Prisma, PrismaClient, StoredSession } from '../generated/prisma/client.js';
import { instantField, withInstants } from '../http/fields.js';
import { listQuerySchema, type Page, pageArguments, toPage } from '../http/pagination.js';

export const sessionsQuerySchema = listQuerySchema(
  ['createdAt', 'updatedAt'],
  {},
  'as they were first patched',
);

export const storedSessionSchema = z
  .object({
    sessionId: z.int(),
    data: z
      .looseObject({})
      .meta({ description: 'The fields of all patches; a later patch replaces a field' }),
    workerUrl: z.string().meta({ description: 'The worker that sent the last patch' }),
    patches: z.int().meta({ description: 'How many patches were stored' }),
    createdAt: instantField.meta({ description: 'When the first patch was stored' }),
    updatedAt: instantField.meta({ description: 'When the last patch was stored' }),
  })
  .meta({ id: 'StoredSession', description: 'What workers have reported about a session' });

export type SessionsQuery = z.infer<typeof sessionsQuerySchema>;
export type StoredSessionView = z.infer<typeof storedSessionSchema>;

/** How many sessions are kept: those that were patched last. */
export const MAX_SESSIONS = 10_000;

/** Of the fields of a session, as JSON. Characters. */
export const MAX_DATA = 65_536;

type Fields = Readonly<Record<string, unknown>>;

/** What workers report about sessions, in the database: one row for each session, with the fields of all its patches. */
export class SessionStore {
  constructor(
    private readonly prisma: Pick<PrismaClient, 'storedSession'>,
    private readonly most = MAX_SESSIONS,
  ) {}

  /** Adds the fields of a patch to its session. The same patch may come again. */
  async take({ sessionId, data, workerUrl }: SessionPatch, signal: AbortSignal): Promise<SessionPatchResult> {
    if (!isFields(data)) return refusal('data: must be an object, whose fields are added to the session');
    try {
      for (;;) {
        // The worker has its answer by then.
        signal.throwIfAborted();
        const before = await this.find(sessionId);
        const fields: Fields = { ...(before?.data as Fields | undefined), ...data };
        if (JSON.stringify(fields).length > MAX_DATA)
          return refusal(`data: the session would take more than ${MAX_DATA} characters as JSON`);
        if (await this.write(before, { sessionId: BigInt(sessionId), data: fields as never, workerUrl })) {
          if (before === null) await this.removeSurplus();
          return { success: true };
        }
      }
    } catch (error) {
      const found = classifyDatabaseError(error);
      // The worker gets the message, and Prisma's own is for developers of this service.
      throw found !== null && 'detail' in found ? new Error(found.detail, { cause: error }) : error;
    }
  }

  async read(sessionId: number): Promise<StoredSessionView | null> {
    const row = await this.find(sessionId);
    return row === null ? null : toView(row);
  }

  async list(query: SessionsQuery): Promise<Page<StoredSessionView>> {
    return toPage(await this.prisma.storedSession.findMany(pageArguments(query)), query, toView);
  }

  private find(sessionId: number): Promise<StoredSession | null> {
    return this.prisma.storedSession.findUnique({ where: { sessionId: BigInt(sessionId) } });
  }

  /** Returns false if another patch was stored since `before` was read. */
  private async write(
    before: StoredSession | null,
    row: Omit<Prisma.StoredSessionCreateManyInput, 'patches'>,
  ): Promise<boolean> {
    const { storedSession } = this.prisma;
    const patches = (before?.patches ?? 0) + 1;
    const { count } =
      before === null
        ? await storedSession.createMany({ data: { ...row, patches }, skipDuplicates: true })
        : await storedSession.updateMany({
            where: { id: before.id, patches: before.patches },
            data: { ...row, patches },
          });
    return count === 1;
  }

  private async removeSurplus(): Promise<void> {
    const { storedSession } = this.prisma;
    const surplus = await storedSession.findFirst({
      orderBy: { updatedAt: 'desc' },
      skip: this.most,
      select: { updatedAt: true },
    });
    if (surplus !== null)
      await storedSession.deleteMany({ where: { updatedAt: { lte: surplus.updatedAt } } });
  }
}

function isFields(data: unknown): data is Fields {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function refusal(message: string): SessionPatchResult {
  return { success: false, message };
}

function toView({ id: _id, sessionId, data, ...row }: StoredSession): StoredSessionView {
  return withInstants({ ...row, sessionId: Number(sessionId), data: data as Record<string, unknown> });
}
