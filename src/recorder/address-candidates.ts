import { isIP } from 'node:net';
import * as v from 'valibot';
import { recorderAddress } from '../config/recorder-section.ts';
import type { RecorderTrial, TrialFault } from './try-recorder.ts';

/** Ports of a recorder: with roles, and the one where everyone is admin. */
const ports = [8971, 5000];

/** A host that users type as they see it in the recorder's own address: a name or an address, perhaps with a port. */
const bare = /^([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?\/?$/i;

/**
 * @param typed a URL, or a host without a scheme, which is tried with both schemes, and on the usual ports unless it has one
 * @returns addresses that may be meant, the best ones first; none if it can't be an address
 */
export function candidatesOf(typed: string): readonly string[] {
  const address = typed.trim();
  if (isAddress(address)) return [address];
  const [, host, port] = bare.exec(isIP(address) === 6 ? `[${address}]` : address) ?? [];
  if (host === undefined) return [];
  return (port === undefined ? ports : [port])
    .flatMap((each) => ['http', 'https'].map((scheme) => `${scheme}://${host}:${each}`))
    .filter(isAddress);
}

function isAddress(address: string): boolean {
  return v.safeParse(recorderAddress, address).success;
}

/** A fault tells more, the earlier it stands here: a port that answers is rather the recorder's than one that doesn't. */
const tellingFaults: readonly TrialFault[] = [
  'asks_for_login',
  'certificate_unknown',
  'is_gate',
  'no_configuration',
  'too_large',
  'error_status',
  'speaks_tls',
  'speaks_no_tls',
];

interface Tried {
  readonly address: string;
  readonly trial: RecorderTrial;
}

/** @param tried at least one @returns a recorder with roles, else one without, else the fault that tells most */
export function bestOf(tried: readonly [Tried, ...Tried[]]): Tried {
  return tried.reduce((best, each) => (rankOf(each) < rankOf(best) ? each : best));
}

function rankOf({ trial }: Tried): number {
  if (!('fault' in trial)) return trial.isEveryoneAdmin ? -1 : -2;
  const rank = tellingFaults.indexOf(trial.fault);
  return rank === -1 ? tellingFaults.length : rank;
}
