import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * Reads a password: asked for twice and unseen on a terminal, else the first line of standard input.
 * Never an argument: those are in the process list and in the shell's history.
 * @throws when the two differ, or there is none
 */
export async function readPassword(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<string> {
  if (!input.isTTY) return firstLine(input);
  const password = await ask('Password: ', input, output);
  if ((await ask('Again: ', input, output)) !== password) throw new Error('the two passwords differ');
  return password;
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  throw new Error('no password on standard input');
}

async function ask(question: string, input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<string> {
  output.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: unseen, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    output.write('\n');
  }
}
