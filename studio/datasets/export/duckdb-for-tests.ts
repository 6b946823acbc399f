import { DuckDBInstance } from '@duckdb/node-api';

/** The rows of a query, as DuckDB reads our files. */
export async function queryDuckdb(sql: string): Promise<unknown[][]> {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson();
  } finally {
    connection.closeSync();
    database.closeSync();
  }
}
