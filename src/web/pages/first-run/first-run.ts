import type { Attention, Findings } from '../../api-client.ts';

/** Home shows these too, but this page lists their checks anyway. */
const listedAsCheck: ReadonlySet<Attention['kind']> = new Set([
  'reload_failed',
  'certificate_ends',
  'recorder_away',
  'role_unverified',
]);

interface SelfCheck {
  /** Problems that Home shows, and no check. */
  readonly problems: readonly Attention[];
  /** How many rows are not well: "all well" never stands beside a problem. */
  readonly worse: number;
}

export function selfCheck({ checks, request }: Findings, attention: readonly Attention[]): SelfCheck {
  const problems = attention.filter(({ kind, level }) => level === 'problem' && !listedAsCheck.has(kind));
  const found = checks.filter(({ result }) => result === 'fault' || result === 'hint').length;
  return { problems, worse: found + problems.length + (request.secure ? 0 : 1) };
}

/** @returns the address of a recorder. Users often type only a name and a port */
export function typedAddress(typed: string): string {
  const address = typed.trim();
  return /^(?:https?:\/\/|unix:)/i.test(address) ? address : `http://${address}`;
}

/** @returns the same machine at the recorder's port with sign-in, or `undefined` if the address has that port or no host */
export function saferAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!url.protocol.startsWith('http') || url.port === '8971') return undefined;
  return `http://${url.hostname}:8971`;
}
