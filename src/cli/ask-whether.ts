import { createInterface } from 'node:readline/promises';

/** @returns true unless the answer is no */
export async function askWhether(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  const terminal = createInterface({ input, output });
  try {
    return !/^n(?:o)?$/i.test((await terminal.question(`${question} [Y/n] `)).trim());
  } finally {
    terminal.close();
  }
}
