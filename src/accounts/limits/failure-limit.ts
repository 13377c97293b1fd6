import { isIPv4, isIPv6 } from 'node:net';
import { canonicalAddress, groupsOfIPv6 } from '../../policy/client-address.ts';
import { secondsToWait, type CountedWindows, type WindowRule } from './counted-windows.ts';
import { AppError } from '../../errors.ts';

/** An attempt that was let through; it counts as failed until its place is given back. */
interface Attempt {
  /** It succeeded, or was not made. */
  giveBack(): Promise<void>;
}

/** Limits failed logins by client address, or by another key. */
export interface FailureLimit {
  /**
   * Takes a place before the password is checked, so parallel guesses cannot share one.
   * @param whose address of the client
   * @returns the attempt, or how many seconds to wait
   */
  reserve(whose: string): Promise<Attempt | { readonly retryAfterSeconds: number }>;
}

const seconds = { second: 1, minute: 60, hour: 3_600 } as const;

type Limited =
  | 'login'
  | 'share'
  | 'share password'
  | 'pairing'
  | 'pairing code'
  | 'invitation'
  | 'invited name';

/** Makes a limit that counts with all others of its kind. @param what `login` by default */
export type FailureLimitOf = (rules: string | undefined, what?: Limited) => FailureLimit;

/**
 * @param rules such as `5/minute;20/hour`, checked by the configuration. Omit for no limit. Failures stay counted as long as
 * the rules are the same
 * @param onLimited called for each rejected attempt
 * @param what is attempted: each has its own counts. `share password` is counted by share, `pairing code` by user, `invited name` by
 * invitation, the others by address
 */
export function createFailureLimit(
  rules: string | undefined,
  windows: CountedWindows,
  onLimited: () => void = () => undefined,
  what: Limited = 'login',
): FailureLimit {
  const isById = what === 'share password' || what === 'pairing code' || what === 'invited name';
  const keyOf = isById ? (id: string) => id : addressKey;
  return limitFailures(parseRules(rules, what), windows, keyOf, onLimited);
}

/** @param keyOf maps what `reserve` is given to the key of a shared count */
export function limitFailures(
  rules: readonly WindowRule[],
  windows: CountedWindows,
  keyOf: (whose: string) => string,
  onLimited: () => void,
): FailureLimit {
  return {
    reserve: async (whose) => {
      const key = keyOf(whose);
      const taken: Array<{ readonly rule: WindowRule; readonly ends: number }> = [];
      const giveBack = async () => {
        for (const { rule, ends } of taken.splice(0)) await windows.giveBack(rule, key, ends);
      };
      for (const rule of rules) {
        const { isTaken, ends, wait } = await windows.take(rule, key);
        if (isTaken) {
          taken.push({ rule, ends });
          continue;
        }
        onLimited();
        await giveBack();
        return { retryAfterSeconds: secondsToWait(rule, wait) };
      }
      return { giveBack };
    },
  };
}

function parseRules(rules: string | undefined, what: string): readonly WindowRule[] {
  return (rules ?? '')
    .split(';')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
    .map((rule) => {
      const [count, unit] = rule.split('/') as [string, keyof typeof seconds];
      return { name: `${what} ${rule} of ${rules}`, most: Number(count), seconds: seconds[unit] };
    });
}

/** Identifies one client: an IPv4 address, or the /64 that an IPv6 host usually has for itself (RFC 6177). */
export function addressKey(address: string): string {
  const canonical = canonicalAddress(address);
  return isIPv6(canonical) ? networkOf(canonical, { v4: 32, v6: 64 }) : canonical;
}

/**
 * @param bits the prefix: of IPv4 32, 24 or 16, of IPv6 up to 64
 * @returns the network of an address, such as `2001:db8:0:100::/56`; the address if it is none
 */
export function networkOf(
  address: string,
  bits: { readonly v4: 32 | 24 | 16; readonly v6: 64 | 56 | 48 | 32 },
): string {
  const canonical = canonicalAddress(address);
  if (isIPv4(canonical)) {
    const bytes = canonical.split('.').slice(0, bits.v4 / 8);
    return bits.v4 === 32 ? canonical : `${bytes.join('.')}/${bits.v4}`;
  }
  if (!isIPv6(canonical)) return canonical;
  const kept = groupsOfIPv6(canonical).slice(0, Math.ceil(bits.v6 / 16));
  // A /56 ends in the middle of a group.
  if (bits.v6 === 56) kept[3] = (Number.parseInt(kept[3] ?? '0', 16) & 0xff00).toString(16);
  return `${kept.join(':')}::/${bits.v6}`;
}

/** Takes a place under a limit. @throws AppError `too_many_requests` */
type TakePlace = (limit: FailureLimit, key: string) => Promise<void>;

/**
 * Runs a check that may be a guess. Places are taken before the check, so parallel guesses cannot share one, and are given back
 * unless it failed.
 * @throws errors of the check; one counts as a failure if `isFailure` returns true
 */
export async function attempt<T>(
  isFailure: (error: unknown) => boolean,
  look: (take: TakePlace) => Promise<T>,
): Promise<T> {
  const taken: Array<{ giveBack(): Promise<void> }> = [];
  let isLimited = false;
  const giveBack = async () => {
    for (const place of taken.splice(0)) await place.giveBack();
  };
  const take: TakePlace = async (limit, key) => {
    const place = await limit.reserve(key);
    if ('giveBack' in place) return void taken.push(place);
    isLimited = true;
    throw new AppError('too_many_requests', { retryAfterSeconds: place.retryAfterSeconds });
  };
  try {
    const seen = await look(take);
    await giveBack();
    return seen;
  } catch (error) {
    if (isLimited || !isFailure(error)) await giveBack();
    throw error;
  }
}
