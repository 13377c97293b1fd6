/** A line of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  readonly words: readonly string[];
  readonly text: string;
}

/** The instructions of each stage, by its name. */
export function stagesOf(dockerfile: string): ReadonlyMap<string, readonly Instruction[]> {
  const stages = new Map<string, Instruction[]>();
  let current: Instruction[] = [];
  for (const line of dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')) {
    const [name = '', ...words] = line.trim().split(/\s+/);
    if (name === '') continue;
    const instruction = { name, words, text: words.join(' ') };
    if (name === 'FROM') stages.set(words[2] ?? '', (current = []));
    current.push(instruction);
  }
  return stages;
}

/** What instructions copy out of the project, and where it goes. */
export function copiesOf(instructions: readonly Instruction[]) {
  return instructions
    .filter(({ name, words }) => name === 'COPY' && !words[0]?.startsWith('--'))
    .map(({ words }) => ({ sources: words.slice(0, -1), target: words.at(-1) ?? '' }));
}
