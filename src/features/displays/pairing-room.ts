import type { Activity } from '../../store/store.ts';
import { addressKey, networkOf } from '../../accounts/limits/failure-limit.ts';

/** The networks around a screen by which open codes are limited, as the store has them. */
export interface ScreenNetworks {
  /** An IPv4 address, or a /64. */
  readonly network: string;
  /** A home: an IPv4 /24, or a /56. */
  readonly site: string;
  /** A provider's customer: an IPv4 /24, or a /48. */
  readonly region: string;
}

/** Open codes at once. Behind one IPv4 /24 are more homes than behind one /56. */
const most = { network: 4, siteOfIpv4: 32, siteOfIpv6: 8, region: 32, all: 1_024 };

/** How many codes leave a full table together, so that a flood does not read it for each. */
const leaving = 64;

/** Milliseconds after which a screen that has not asked again is away. */
const away = 60_000;

export function networksOfScreen(address: string): ScreenNetworks {
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
export async function hasRoom(activity: Activity, address: string, now: number): Promise<boolean> {
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
