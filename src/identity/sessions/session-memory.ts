import { LRUCache } from 'lru-cache';
import type { Session, SessionUser } from './session.ts';
import { claimsOfVerified, type SessionClaims } from './session-token.ts';

/** When a token was found valid, and at which version of the store. */
interface Checked {
  /** While it stays the same, users and revocations have not changed. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Sessions of tokens that were found valid; when it is full, the oldest unused one is evicted. */
export interface SessionMemory {
  /**
   * @param token must equal the remembered text
   * @param at milliseconds since the epoch: returns nothing if the clock went back
   */
  recall(token: string, version: number, at: number): Session | undefined;
  /** A token longer than any of ours is not remembered. @returns the session as it is remembered */
  remember(token: string, session: Session, checked: Checked): Session;
  entries(): number;
  bytes(): number;
}

/** Bytes of a token with the longest names of user and role. */
const longestToken = 512;

// A slot has its numbers first, then the token: a look-up touches one cache line of the processor, and then lines in a row.
const numberCount = 8;
const placeNumbers = numberCount + longestToken / 8;
const placeBytes = placeNumbers * 8;

const number = {
  hash: 0,
  length: 1,
  version: 2,
  since: 3,
  expiresAt: 4,
  lastSeen: 5,
  isUsed: 6,
  turn: 7,
} as const;

/** Sessions whose decoded claims are kept: of those who watch single pictures, each picture asks for them. */
const mostDecoded = 1_000;

/** Users whose sessions share one object: what others keep for it, such as an identity, is then kept once for all of them. */
const mostUsers = 4_096;

/** Slots are allocated in slabs of this size, when needed. */
const slabPlaces = 1_024;

interface Slab {
  readonly numbers: Float64Array;
  readonly bytes: Buffer;
  readonly users: Array<SessionUser | undefined>;
}

/**
 * Sessions are kept in flat memory outside the heap, which the garbage collector neither scans nor copies: with objects on the
 * heap, a million one-time sessions left a process of 383 MiB, and each took 1,000 bytes besides its token.
 * @param most bytes in all
 * @param verifiedBy where all tokens kept here were verified
 */
export function createSessionMemory(most: number, verifiedBy?: object): SessionMemory {
  const places = Math.floor(most / (placeBytes + bytesElsewhere));
  const slabs: Slab[] = [];
  const index = createIndex(places);
  // By the turn of the session: no two have the same.
  const decoded = new LRUCache<number, SessionClaims>({ max: mostDecoded });
  // By all that is known of the user.
  const sharedUsers = new LRUCache<string, SessionUser>({ max: mostUsers });
  let entries = 0;
  let turns = 0;
  /** Where the next token goes, unless the session there was used. */
  let hand = 0;

  const slabOf = (place: number): Slab => {
    const slab = Math.floor(place / slabPlaces);
    return (slabs[slab] ??= createSlab(Math.min(slabPlaces, places - slab * slabPlaces)));
  };
  const isAt = (place: number, token: string): boolean => {
    const { numbers, bytes } = slabOf(place);
    const first = (place % slabPlaces) * placeNumbers;
    if (numbers[first + number.length] !== token.length) return false;
    const start = (first + numberCount) * 8;
    return bytes.toString('latin1', start, start + token.length) === token;
  };
  const find = (token: string, hash: number) => index.find(hash, (place) => isAt(place, token));

  /** @returns a slot whose session was not used since the last round */
  const vacate = (): number => {
    for (;;) {
      const place = hand;
      hand = (hand + 1) % places;
      const { numbers } = slabOf(place);
      const first = (place % slabPlaces) * placeNumbers;
      if (numbers[first + number.turn] === 0) {
        entries += 1;
        return place;
      }
      if (numbers[first + number.isUsed] === 0) {
        index.remove(numbers[first + number.hash] as number, place);
        return place;
      }
      numbers[first + number.isUsed] = 0;
    }
  };

  const shared = (user: SessionUser): SessionUser => {
    const name = JSON.stringify(user);
    const known = sharedUsers.get(name);
    if (known === undefined) sharedUsers.set(name, user);
    return known ?? user;
  };

  const sessionAt = (place: number, token: string): Session => {
    const { numbers, users } = slabOf(place);
    const at = place % slabPlaces;
    const user = users[at] as SessionUser;
    return new RememberedSession(token, user, numbers, at * placeNumbers, verifiedBy, decoded);
  };

  return {
    recall: (token, version, at) => {
      const place = find(token, hashOf(token));
      if (place === undefined) return undefined;
      const { numbers } = slabOf(place);
      const first = (place % slabPlaces) * placeNumbers;
      if (numbers[first + number.version] !== version) return undefined;
      if (at < (numbers[first + number.since] as number)) return undefined;
      if (at >= (numbers[first + number.expiresAt] as number)) return undefined;
      numbers[first + number.isUsed] = 1;
      return sessionAt(place, token);
    },

    remember: (token, session, { version, since }) => {
      if (token.length > longestToken || places === 0) return session;
      const hash = hashOf(token);
      const known = find(token, hash);
      const place = known ?? vacate();
      const { numbers, bytes, users } = slabOf(place);
      const at = place % slabPlaces;
      const first = at * placeNumbers;
      numbers[first + number.version] = version;
      numbers[first + number.since] = since;
      numbers[first + number.expiresAt] = session.expiresAt;
      users[at] = shared(session.user);
      if (known === undefined) {
        turns += 1;
        numbers[first + number.hash] = hash;
        numbers[first + number.length] = token.length;
        numbers[first + number.lastSeen] = session.lastSeenAt;
        numbers[first + number.isUsed] = 0;
        numbers[first + number.turn] = turns;
        bytes.write(token, (first + numberCount) * 8, 'latin1');
        index.add(hash, place);
      }
      return sessionAt(place, token);
    },

    entries: () => entries,
    bytes: () => entries * (placeBytes + bytesElsewhere),
  };
}

/** A remembered session; its claims are decoded from the token when needed, which is rare. */
class RememberedSession implements Session {
  readonly user: SessionUser;
  readonly expiresAt: number;
  readonly verifiedBy: object | undefined;
  readonly #token: string;
  readonly #numbers: Float64Array;
  readonly #first: number;
  readonly #turn: number;
  readonly #decoded: LRUCache<number, SessionClaims>;

  constructor(
    token: string,
    user: SessionUser,
    numbers: Float64Array,
    first: number,
    verifiedBy: object | undefined,
    decoded: LRUCache<number, SessionClaims>,
  ) {
    this.user = user;
    this.verifiedBy = verifiedBy;
    this.expiresAt = numbers[first + number.expiresAt] as number;
    this.#token = token;
    this.#numbers = numbers;
    this.#first = first;
    this.#turn = numbers[first + number.turn] as number;
    this.#decoded = decoded;
  }

  get claims(): SessionClaims {
    const known = this.#decoded.get(this.#turn);
    if (known !== undefined) return known;
    const claims = claimsOfVerified(this.#token);
    this.#decoded.set(this.#turn, claims);
    return claims;
  }

  get lastSeenAt(): number {
    return this.#numbers[this.#first + number.lastSeen] as number;
  }

  set lastSeenAt(at: number) {
    // Another session may have this slot by now.
    if (this.#numbers[this.#first + number.turn] === this.#turn)
      this.#numbers[this.#first + number.lastSeen] = at;
  }
}

function createSlab(places: number): Slab {
  const memory = new ArrayBuffer(places * placeBytes);
  return {
    numbers: new Float64Array(memory),
    bytes: Buffer.from(memory),
    users: Array.from({ length: places }),
  };
}

/** Slots by hash. */
interface Index {
  find(hash: number, isIt: (place: number) => boolean): number | undefined;
  add(hash: number, place: number): void;
  remove(hash: number, place: number): void;
}

// Pairs of a hash and a slot; a bucket is one cache line of the processor.
const bucketPairs = 8;
/** Twice the slots: full buckets, where a session evicts another one, are then rare. */
const room = 2;

/** Bytes per slot in the index and in the list of users. */
const bytesElsewhere = 2 * room * 8 + 8;

function createIndex(places: number): Index {
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(1, (places * room) / bucketPairs)));
  /** A hash, and the slot plus one: zero means none. */
  const pairs = new Int32Array(buckets * bucketPairs * 2);
  const bucketOf = (hash: number) => (hash & (buckets - 1)) * bucketPairs * 2;
  const pairOf = (hash: number, held: number): number | undefined => {
    const bucket = bucketOf(hash);
    for (let at = bucket; at < bucket + bucketPairs * 2; at += 2) if (pairs[at + 1] === held) return at;
    return undefined;
  };
  return {
    find: (hash, isIt) => {
      const bucket = bucketOf(hash);
      for (let at = bucket; at < bucket + bucketPairs * 2; at += 2) {
        const held = pairs[at + 1] as number;
        if (held !== 0 && pairs[at] === hash && isIt(held - 1)) return held - 1;
      }
      return undefined;
    },
    add: (hash, place) => {
      const at = pairOf(hash, 0) ?? bucketOf(hash) + (place % bucketPairs) * 2;
      pairs[at] = hash;
      pairs[at + 1] = place + 1;
    },
    remove: (hash, place) => {
      const at = pairOf(hash, place + 1);
      if (at !== undefined) pairs[at + 1] = 0;
    },
  };
}

/** Uses the end of a token, its signature, which differs between any two tokens. */
function hashOf(token: string): number {
  let hash = token.length;
  for (let at = Math.max(0, token.length - 16); at < token.length; at += 1)
    hash = (Math.imul(hash, 31) + token.charCodeAt(at)) | 0;
  // The lowest bits choose the bucket.
  return hash ^ (hash >>> 15);
}
