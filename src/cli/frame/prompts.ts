import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * Reads a password: asked for twice and unseen on a terminal, else the first line of standard input.
 * Never an argument: those are in the process list and in the shell's history.
 * @throws when the two differ, or the input ends before a line
 */
export async function readPassword(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<string> {
  if (!input.isTTY) return nextLine(createInterface({ input })[Symbol.asyncIterator]());
  // Without echo already when the first question is asked, so that early typing stays hidden too.
  const terminal = createInterface({
    input,
    output: new Writable({ write: (_, __, done) => done() }),
    terminal: true,
  });
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (question: string) => {
    output.write(question);
    const answer = await nextLine(lines);
    output.write('\n');
    return answer;
  };
  try {
    const password = await ask('Password: ');
    if ((await ask('Again: ')) !== password) throw new Error('the two passwords differ');
    return password;
  } finally {
    terminal.close();
  }
}

async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next();
  if (done) throw new Error('no password on standard input');
  return value;
}

/** @param byDefault the answer of an empty line @returns whether the answer is yes */
export async function askWhether(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  byDefault: 'yes' | 'no' = 'yes',
): Promise<boolean> {
  const terminal = createInterface({ input, output });
  try {
    const [shown, other] = byDefault === 'yes' ? ['[Y/n]', /^n(?:o)?$/i] : ['[y/N]', /^y(?:es)?$/i];
    const isOther = other.test((await terminal.question(`${question} ${shown} `)).trim());
    return isOther !== (byDefault === 'yes');
  } finally {
    terminal.close();
  }
}
