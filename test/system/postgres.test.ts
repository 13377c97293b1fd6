import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startFaultyLink } from '../support/faulty-link.ts';
import { emptyDatabase } from '../support/postgres.ts';

test('each test has an empty database of its own, by Unix socket, TCP and a link', async () => {
  const [one, other] = await Promise.all([emptyDatabase(), emptyDatabase()]);
  await one.query('CREATE TABLE kept (word text)');
  await one.query('INSERT INTO kept VALUES ($1)', ['here']);
  const link = await startFaultyLink(Number(new URL(one.urlAt()).port));
  onTestFinished(link.close);
  for (const url of [one.url, one.urlAt(), one.urlAt(link.port)]) {
    const client = new Client({ connectionString: url });
    await client.connect();
    expect((await client.query('SELECT * FROM kept')).rows).toEqual([{ word: 'here' }]);
    await client.end();
  }
  await expect(other.query('SELECT * FROM kept')).rejects.toThrow('does not exist');
  await expect(connectTo(one.urlAt().replace(/:[0-9a-f]+@/, ':wrong@'))).rejects.toThrow('password');
});

async function connectTo(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.end();
}
