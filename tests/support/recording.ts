import type { CompiledQuery, KyselyPlugin, RootOperationNode } from 'kysely';
import type { Db } from '../../db/schema.ts';

export function recordQueries(db: Db): { db: Db; queries: CompiledQuery[] } {
  const queries: CompiledQuery[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }): RootOperationNode {
      queries.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), queries };
}
