import { randomBytes, randomInt } from 'node:crypto';
import type { Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { ActivityTables } from '../../store/activity-schema.ts';
import type { Activity } from '../../store/store.ts';
import { hashOf } from '../api-tokens/api-tokens.ts';
import { pairingLifetime } from './displays.ts';
import { addressKey, networkOf } from '../../accounts/limits/failure-limit.ts';

/** A code that a screen shows (RFC 8628). Times are milliseconds since the epoch. */
export interface PairingCode {
  readonly deviceHash: string;
  /** Eight letters, and a hyphen between them. */
  readonly userCode: string;
  /** Address of the screen. */
  readonly address: string;
  /** `User-Agent` of the screen. */
  readonly agent: string | undefined;
  readonly expiresAt: number;
}

/** Reason why a screen gets no credential, or none yet (RFC 8628, 3.5). */
type PollProblem = 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token';

export interface PairingCodes {
  /**
   * @param onPaired called when the screen has its credential, if this process gives it out
   * @returns the codes; `undefined` if too many are open
   */
  begin(
    screen: Pick<PairingCode, 'address' | 'agent'>,
    onPaired?: () => Promise<void>,
  ): Promise<{ readonly deviceCode: string; readonly userCode: string } | undefined>;
  /** @param userCode as a user types it: in any letter case, with or without the hyphen */
  find(userCode: string): Promise<PairingCode | undefined>;
  /** Refuses the screen. @returns whether the code was open */
  refuse(userCode: string): Promise<boolean>;
  /** Deletes a code whose screen has its credential. */
  finish(deviceHash: string): Promise<void>;
  /** A question of the screen. @returns the problem, and the hash of its code while that is open */
  poll(deviceCode: string): Promise<{ readonly problem: PollProblem; readonly deviceHash?: string }>;
  prune(): Promise<void>;
}

/** Seconds between two questions of a screen. */
export const pollInterval = 5;
const slowerBy = 5;
/** Milliseconds by which a screen's timer may be early. */
const tolerance = 500;

/** Callbacks of screens that wait, as many as codes may be open. */
const mostWaiting = 1_024;

/** Without vowels, so that no code is a word (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const deviceForm = /^[\w-]{43}$/;
const longestAgent = 256;

/** @returns the code as it is stored and shown; `undefined` if it has another form */
export function readUserCode(typed: string): string | undefined {
  const plain = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(plain) ? `${plain.slice(0, 4)}-${plain.slice(4)}` : undefined;
}

export function createPairingCodes(activity: Activity, clock: Clock): PairingCodes {
  const waiting = new LRUCache<string, () => Promise<void>>({ max: mostWaiting });
  const open = () => activity.selectFrom('pairing_codes').where('expires_at', '>', wholeSeconds(clock.now()));
  // Counts and writes one after the other, so that the limit holds however many ask at once.
  const inTurn = pLimit(1);
  const begin: PairingCodes['begin'] = async ({ address, agent }, onPaired) => {
    if (!(await hasRoom(activity, address, clock.now()))) return undefined;
    const deviceCode = randomBytes(32).toString('base64url');
    const plain = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');
    const userCode = `${plain.slice(0, 4)}-${plain.slice(4)}`;
    const now = wholeSeconds(clock.now());
    await activity
      .insertInto('pairing_codes')
      .values({
        device_hash: hashOf(deviceCode),
        user_code: userCode,
        address: address.slice(0, 64),
        ...networksOfScreen(address),
        agent: agent?.slice(0, longestAgent) ?? null,
        created_at: now,
        expires_at: now + pairingLifetime,
        polled_at: 0,
        poll_interval: pollInterval,
      })
      .execute();
    if (onPaired !== undefined) waiting.set(hashOf(deviceCode), onPaired);
    return { deviceCode, userCode };
  };

  return {
    begin: (screen, onPaired) => inTurn(() => begin(screen, onPaired)),

    find: async (typed) => {
      const userCode = readUserCode(typed);
      if (userCode === undefined) return undefined;
      const row = await open()
        .selectAll()
        .where('user_code', '=', userCode)
        .where('denied', '=', 0)
        .executeTakeFirst();
      return row && pairingCodeOf(row);
    },

    refuse: async (typed) => {
      const { numUpdatedRows } = await activity
        .updateTable('pairing_codes')
        .set({ denied: 1 })
        .where('user_code', '=', readUserCode(typed) ?? '')
        .where('denied', '=', 0)
        .where('expires_at', '>', wholeSeconds(clock.now()))
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    finish: async (deviceHash) => {
      await waiting.get(deviceHash)?.();
      waiting.delete(deviceHash);
      await activity.deleteFrom('pairing_codes').where('device_hash', '=', deviceHash).execute();
    },

    poll: async (deviceCode) => {
      if (!deviceForm.test(deviceCode)) return { problem: 'expired_token' };
      const deviceHash = hashOf(deviceCode);
      const row = await open().selectAll().where('device_hash', '=', deviceHash).executeTakeFirst();
      if (row === undefined) return { problem: 'expired_token' };
      if (row.denied === 1) return { problem: 'access_denied' };
      const now = clock.now();
      const isEarly = now - row.polled_at < row.poll_interval * 1000 - tolerance;
      await activity
        .updateTable('pairing_codes')
        .set({ polled_at: now, ...(isEarly && { poll_interval: row.poll_interval + slowerBy }) })
        .where('device_hash', '=', deviceHash)
        .execute();
      return { problem: isEarly ? 'slow_down' : 'authorization_pending', deviceHash };
    },

    prune: async () => {
      const over = activity
        .selectFrom('pairing_codes')
        .select('device_hash')
        .where('expires_at', '<=', wholeSeconds(clock.now()));
      // Writes nothing when there is none: the disk may be full.
      if ((await over.executeTakeFirst()) === undefined) return;
      await activity
        .deleteFrom('pairing_codes')
        .where('expires_at', '<=', wholeSeconds(clock.now()))
        .execute();
    },
  };
}

function pairingCodeOf(row: Selectable<ActivityTables['pairing_codes']>): PairingCode {
  return {
    deviceHash: row.device_hash,
    userCode: row.user_code,
    address: row.address,
    agent: row.agent ?? undefined,
    expiresAt: row.expires_at * 1000,
  };
}

/** The networks around a screen by which open codes are limited, as the store has them. */
interface ScreenNetworks {
  /** An IPv4 address, or a /64. */
  readonly network: string;
  /** A home: an IPv4 /24, or a /56. */
  readonly site: string;
  /** A provider's customer: an IPv4 /24, or a /48. */
  readonly region: string;
}

/** Open codes at once. Behind one IPv4 /24 are more homes than behind one /56. */
const most = { network: 4, siteOfIpv4: 32, siteOfIpv6: 8, region: 32, all: 1_024 };

/** Codes that leave a full table together, so that a flood does not read it for each. */
const leaving = 64;

/** Milliseconds after which a screen that has not asked again is away. */
const away = 60_000;

function networksOfScreen(address: string): ScreenNetworks {
  return {
    network: addressKey(address),
    site: networkOf(address, { v4: 24, v6: 56 }),
    region: networkOf(address, { v4: 24, v6: 48 }),
  };
}

/**
 * Makes room in a full table: those who fill it lose their codes, and others get one.
 * @param now milliseconds since the epoch
 * @returns whether another code may be open for a screen
 */
async function hasRoom(activity: Activity, address: string, now: number): Promise<boolean> {
  // A code that a user refused takes no one's place.
  const open = () =>
    activity
      .selectFrom('pairing_codes')
      .where('expires_at', '>', Math.floor(now / 1000))
      .where('denied', '=', 0);
  const { network, site, region } = networksOfScreen(address);
  const counted = await open()
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('all'),
      fn.sum<number | null>(eb.case().when('network', '=', network).then(1).else(0).end()).as('network'),
      fn.sum<number | null>(eb.case().when('site', '=', site).then(1).else(0).end()).as('site'),
      fn.sum<number | null>(eb.case().when('region', '=', region).then(1).else(0).end()).as('region'),
    ])
    .executeTakeFirstOrThrow();
  const ofSite = site.includes(':') ? most.siteOfIpv6 : most.siteOfIpv4;
  if (Number(counted.network) >= most.network || Number(counted.site) >= ofSite) return false;
  if (Number(counted.region) >= most.region) return false;
  if (counted.all < most.all) return true;
  const codes = await open().select(['device_hash', 'address', 'created_at', 'polled_at']).execute();
  await activity.deleteFrom('pairing_codes').where('device_hash', 'in', codesToDrop(codes, now)).execute();
  return true;
}

interface OpenCode {
  readonly device_hash: string;
  readonly address: string;
  /** Seconds since the epoch. */
  readonly created_at: number;
  /** Milliseconds since the epoch; 0: never. */
  readonly polled_at: number;
}

/** @returns hashes of codes of the largest networks, first those whose screens do not ask anymore, then the oldest */
export function codesToDrop(codes: readonly OpenCode[], now: number): string[] {
  const groups = Map.groupBy(codes, ({ address }) => networkOf(address, { v4: 16, v6: 32 }));
  const sizeOf = ({ address }: OpenCode) => groups.get(networkOf(address, { v4: 16, v6: 32 }))?.length ?? 0;
  const isAway = ({ created_at: created, polled_at: polled }: OpenCode) =>
    now - Math.max(created * 1000, polled) >= away;
  return codes
    .map((code) => ({ code, size: sizeOf(code), away: isAway(code) }))
    .toSorted(
      (one, other) =>
        other.size - one.size ||
        Number(other.away) - Number(one.away) ||
        one.code.created_at - other.code.created_at,
    )
    .slice(0, leaving)
    .map(({ code }) => code.device_hash);
}
