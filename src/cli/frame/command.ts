import { InvalidArgumentError } from 'commander';
import { type Capability, capabilities } from '../../policy/capability.ts';

/** Where a command runs. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Directory of the program. */
  readonly root: string;
}

/** @returns names with commas between them, each once */
export function parseNames(names: string): string[] {
  const parsed = new Set(names.split(',').map((name) => name.trim()));
  if (parsed.has('')) throw new InvalidArgumentError('Names, with commas between them');
  return [...parsed];
}

/** @returns words of `may` with commas between them, each once */
export function parseMay(words: string): Capability[] {
  return parseNames(words).map((word) => {
    const capability = capabilities.find((known) => known === word);
    if (capability !== undefined) return capability;
    throw new InvalidArgumentError(`Found ${word}, allowed is one of ${capabilities.join(', ')}`);
  });
}
