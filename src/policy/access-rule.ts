import type { Capability } from './capability.ts';

/**
 * What each path requires of an identity. The first rule that matches decides: first the rules of the gate's own endpoints
 * (`api/endpoints.ts`), then the locked ones, the operator's, and the recorder's.
 *
 * Path patterns, by segment: `*` matches any one segment, or any part of one; `**` the rest of the path, which may be
 * empty; `:camera` any segment, read as the name of a camera; `:known` the name of a camera that the configuration
 * mentions; `:stream`, `:file`, `:event`, `:export` and `:review` any segment, by which a camera is found.
 */
export type AccessLevel =
  /** Public: no identity is needed. */
  | 'public'
  /** Any identity, any method: the endpoint itself acts on the identity's own account only. */
  | 'own-account'
  /** Any identity may read. */
  | 'any'
  /** Any identity may read; limited to the cameras in `cameras` or `camera` of the query, and filtered by the upstream. */
  | 'list'
  | 'admin-only'
  /** Cannot be tied to cameras: closed to roles that are limited to some. */
  | 'unresolved'
  /** Shows all cameras, or information about them: closed to roles that are limited to some. */
  | 'every-camera'
  /** The segment `:camera` or `:known`. */
  | 'camera-in-path'
  /** The live stream `:stream`. */
  | 'stream-in-path'
  /** The file name `:file`: `{camera}-{event id}`, with or without `thumb-` or `preview_` before it. */
  | 'camera-in-file'
  /** Every stream that `src` of the query names. */
  | 'camera-in-src'
  /** As `camera-in-src`; without `src` it is about all streams: admins only. */
  | 'stream-in-src'
  /** The event row of `:event`. */
  | 'camera-of-event'
  /** The event rows of `ids` of the query; unknown ids grant nothing. */
  | 'camera-of-events'
  /** The export row of `:export`: its id, or the name of its video or thumbnail. */
  | 'camera-of-export'
  /** The review row of `:review`. */
  | 'camera-of-review'
  /** The review rows of `ids` of the query. */
  | 'camera-of-reviews'
  /** The cameras that the body names: closed to roles that are limited to some, unless the body has been read. */
  | 'cameras-in-body'
  /** The review rows that the body names: closed in the same way. */
  | 'reviews-in-body';

type RecordedWhen =
  /** Nothing was recorded: it is live, or about no point in time. */
  | 'now'
  /** All recordings, of any time: closed. */
  | 'ever'
  /** The segments after `start` and `end`. */
  | 'start'
  /** The segment after `recordings`. */
  | 'frame'
  /** Year and month, day and hour: the first segment that is `*`, and the two after it. */
  | 'hour'
  /** A day, an hour and a file: the first segment that is `*`, the one after it, and the last. */
  | 'segment'
  /** The name of a file: the segment `:file`, or the last one. */
  | 'file'
  /** The rows that the resource names. */
  | 'row'
  /** The events that `source_id` of the query names. */
  | 'source'
  /** The body. */
  | 'body'
  /** `after` of the query, by which the upstream leaves out older recordings; narrowing adds it. */
  | 'after';

/** Capabilities that a rule needs. */
export type Need =
  | Exclude<Capability, 'ptz' | 'talk'>
  /** Nothing: it shows neither live pictures nor recordings, or only what each page of the recorder's UI needs. */
  | 'shell'
  /** One of the two: it shows of a camera what the role may see. */
  | 'live-or-history'
  /** Live, history and export: it may show anything of a camera. */
  | 'everything';

/** Whether a rule shows pictures of cameras, or else why it is not watching. */
type Watch =
  | 'live'
  | 'recorded'
  /** The live picture of all cameras together. */
  | 'every-camera'
  /** As far as the path names a file: the rest is data. */
  | 'live-files'
  | 'recorded-files'
  /** Names, times and figures, and changes of them. */
  | 'data'
  /** Small pictures, which a list has many of. */
  | 'thumbnails';

export interface AccessRule {
  /** Absent when the rule is for every method. */
  readonly methods?: readonly string[];
  readonly path: string;
  /** The rule applies only to paths that contain this text. */
  readonly having?: string;
  readonly level: AccessLevel;
  readonly may: Need;
  /** Anyone who may read the resource may use the rule's methods on it, even those that change something. */
  readonly changes?: true;
  /** Closed to API tokens, which could use it to become permanent or gain access. */
  readonly requiresSession?: true;
  /** Open to displays, which otherwise only read what the recorder serves. */
  readonly display?: true;
  /** Open to users who have to set up a second factor first. */
  readonly beforeSecondFactor?: true;
  /**
   * For a list: the one query parameter by which the upstream filters it, so that the answer has nothing from other cameras.
   * Without it, the list is closed to tokens that are limited to cameras.
   */
  readonly filter?: 'camera' | 'cameras';
  /** A supported release of the upstream ignores `filter`: the query is narrowed, but the list counts as unfiltered. */
  readonly isFilterNew?: true;
  /** A query parameter that may bring in other cameras, even with `filter`. */
  readonly unfilteredWith?: 'event_id';
  /** For a path that names no camera: its answer has nothing about cameras, or only about the identity's own. */
  readonly namesNoCamera?: true;
  /**
   * A WebSocket with messages about all cameras (`messages.ts`): open to roles that are limited to some where the gate or the
   * recorder filters each message.
   */
  readonly messages?: true;
  /** A single live picture: a client that asks for it again and again watches. */
  readonly still?: true;
  /** For the record of who watched. */
  readonly watch?: Watch;
  /** For a rule that only admins may use: it shows pictures, so that a stop closes it to an admin too. */
  readonly pictures?: true;
  /**
   * For a change: the path names everything that it affects, and the body names nothing. Without it, the rule is closed to tokens that
   * are limited to cameras: an export, for example, may be given a picture of another camera.
   */
  readonly bodyless?: true;
  /** For a camera in the path: the body, where it is read, may name a picture too. */
  readonly body?: 'export';
  /**
   * Where the time of the recording is found, for roles that may not see earlier recordings (`recorded-since.ts`). Undefined: closed to
   * them.
   */
  readonly recorded?: RecordedWhen;
  /** Why the gate is stricter than a release of the recorder. */
  readonly stricter?: string;
}

/** A rule for what a recorder serves: unless it is for pages or for administration, it has to have `watch`. */
export type RecorderRule = AccessRule &
  (
    | { readonly may: 'shell' }
    | { readonly level: 'admin-only'; readonly pictures?: never }
    | { readonly watch: Watch }
  );

const shell: readonly Capability[] = [];
const needed: Readonly<Record<Need, readonly Capability[]>> = {
  shell,
  live: ['live'],
  history: ['history'],
  export: ['export'],
  share: ['share'],
  'live-or-history': ['live', 'history'],
  everything: ['live', 'history', 'export'],
};

/** @returns the capabilities that a role needs for a rule; for `live-or-history`, one of them */
export function neededFor({ may }: Pick<AccessRule, 'may'>): readonly Capability[] {
  return needed[may];
}
