import type { Command } from 'commander';
import { countGivenOut, givenOutKinds, type Ended, type GivenOut } from '../accounts/users/recovery.ts';
import type { Clock } from '../clock.ts';
import type { Reading } from '../store/permit.ts';
import { askWhether } from './frame/prompts.ts';

/** Options of commands that restore an account to its owner. */
export interface KeepOptions {
  readonly keepApiTokens?: true;
  readonly keepShares?: true;
  readonly keepDisplays?: true;
}

export function withKeepOptions(command: Command): Command {
  return command
    .option('--keep-api-tokens', 'keeps the API tokens of the user valid')
    .option('--keep-shares', 'keeps the shares of the user valid')
    .option('--keep-displays', 'keeps the displays of the user valid');
}

const words: Readonly<Record<GivenOut | 'invitations' | 'alert_addresses', string>> = {
  api_tokens: 'API tokens',
  shares: 'shares',
  displays: 'displays',
  invitations: 'invitations',
  alert_addresses: 'addresses for alerts',
};

/**
 * Asks on a terminal; scripts use the options.
 * @returns what stays of what the user has given out
 */
export async function askWhatToKeep(
  { store, clock }: { readonly store: Reading; readonly clock: Clock },
  username: string,
  { keepApiTokens, keepShares, keepDisplays }: KeepOptions,
): Promise<readonly GivenOut[]> {
  const answered: Readonly<Record<GivenOut, true | undefined>> = {
    api_tokens: keepApiTokens,
    shares: keepShares,
    displays: keepDisplays,
  };
  const counts = await countGivenOut(store, username, clock);
  const keep: GivenOut[] = [];
  for (const kind of givenOutKinds) {
    const isAsked = counts[kind] > 0 && process.stdin.isTTY;
    const question = `End the user's ${words[kind]} too (${counts[kind]})?`;
    if (answered[kind] ?? (isAsked && !(await askWhether(question, process.stdin, process.stderr))))
      keep.push(kind);
  }
  return keep;
}

/** @returns a sentence with what has ended; empty when nothing has */
export function endedInWords(ended: Ended): string {
  return ([...givenOutKinds, 'invitations', 'alert_addresses'] as const)
    .filter((kind) => ended[`${kind}_ended`] > 0)
    .map((kind) => `; ${words[kind]} that ended: ${ended[`${kind}_ended`]}`)
    .join('');
}
