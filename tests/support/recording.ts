import type { CompiledQuery, KyselyPlugin, QueryExecutor } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Returns a handle of the same database, and the queries that run through it, also those compiled beforehand. */
export function recordQueries(db: Db): { db: Db; queries: CompiledQuery[] } {
  const queries: CompiledQuery[] = [];
  const recordingExecutorOf = (executor: QueryExecutor): QueryExecutor => {
    const { executeQuery, stream, withConnectionProvider } = executor;
    return Object.assign(executor, {
      executeQuery: ((query, ...others) => {
        queries.push(query);
        return executeQuery.call(executor, query, ...others);
      }) as typeof executeQuery,
      stream: ((query, ...others) => {
        queries.push(query);
        return stream.call(executor, query, ...others);
      }) as typeof stream,
      withConnectionProvider: (provider: Parameters<typeof withConnectionProvider>[0]) =>
        recordingExecutorOf(withConnectionProvider.call(executor, provider)),
    });
  };
  const recorded = db.withPlugin(passThroughPlugin);
  recordingExecutorOf(recorded.getExecutor());
  return { db: recorded, queries };
}

/** Gives the handle an executor of its own. */
const passThroughPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => result,
};
