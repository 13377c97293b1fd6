import {
  DataTypeNode,
  OperationNodeTransformer,
  RawNode,
  type ColumnDefinitionNode,
  type KyselyPlugin,
  type QueryId,
} from 'kysely';

/**
 * Maps column types of the migrations to PostgreSQL: autoincrement is a type of its own, and names compare byte by byte, as in
 * SQLite, whatever the language of the database is.
 */
export const columnTypes: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};

class ColumnTypes extends OperationNodeTransformer {
  protected override transformColumnDefinition(
    node: ColumnDefinitionNode,
    queryId?: QueryId,
  ): ColumnDefinitionNode {
    const column = super.transformColumnDefinition(node, queryId);
    if (column.autoIncrement === true)
      return { ...column, autoIncrement: false, dataType: DataTypeNode.create('bigserial') };
    const { dataType } = column;
    const isName = DataTypeNode.is(dataType) && dataType.dataType.startsWith('varchar');
    return isName ? { ...column, dataType: RawNode.createWithSql('text COLLATE "C"') } : column;
  }
}

const transformer = new ColumnTypes();
