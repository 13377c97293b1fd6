/**
 * What each path asks of an identity. The first rule that matches decides: the rules of the gate's own endpoints
 * (`api/endpoints.ts`), the locked ones, those of the operator, and those of the recorder.
 *
 * Path patterns, by segment: `*` is any one segment, or any part of one; `**` the rest of the path, nothing
 * included; `:camera` any segment, taken for the name of a camera; `:known` the name of a camera that the
 * configuration mentions; `:stream`, `:file`, `:event`, `:export` and `:review` any segment, by which a camera is found.
 */
export type AccessLevel =
  /** Answered without asking who. */
  | 'public'
  /** Any identity, any method: the endpoint itself acts on the identity's own account only. */
  | 'own-account'
  /** Any identity may read. */
  | 'any'
  /** Any identity may read; the cameras that `cameras` or `camera` of the query name, and the upstream filters the rest. */
  | 'list'
  | 'admin-only'
  /** Cannot be tied to cameras: closed to roles that are limited to some. */
  | 'unresolved'
  /** Shows or tells of all cameras: closed to roles that are limited to some. */
  | 'every-camera'
  /** The segment `:camera` or `:known`. */
  | 'camera-in-path'
  /** The live stream `:stream`. */
  | 'stream-in-path'
  /** The file name `:file`: `{camera}-{event id}`, with or without `thumb-` or `preview_` before it. */
  | 'camera-in-file'
  /** Every stream that `src` of the query names. */
  | 'camera-in-src'
  /** The same, and without `src` it is of all streams: for admins. */
  | 'stream-in-src'
  /** The event row of `:event`. */
  | 'camera-of-event'
  /** The event rows of `ids` of the query; ids that there are not open nothing. */
  | 'camera-of-events'
  /** The export row of `:export`: its id, or the name of its video or thumbnail. */
  | 'camera-of-export'
  /** The review row of `:review`. */
  | 'camera-of-review'
  /** The review rows of `ids` of the query. */
  | 'camera-of-reviews'
  /** The cameras that the body names: closed to roles that are limited to some, unless somebody has read it. */
  | 'cameras-in-body'
  /** The review rows that the body names: likewise. */
  | 'reviews-in-body';

type RecordedWhen =
  /** Nothing is: it is live, or about no moment. */
  | 'now'
  /** All of it, whenever: closed. */
  | 'ever'
  /** The segments behind `start` and `end`. */
  | 'start'
  /** The segment behind `recordings`. */
  | 'frame'
  /** Year and month, day and hour: the first segment that is `*`, and the two behind it. */
  | 'hour'
  /** A day, an hour and a file: the first segment that is `*`, the one behind it, and the last. */
  | 'segment'
  /** The name of a file: the segment `:file`, or the last. */
  | 'file'
  /** The rows that the resource names. */
  | 'row'
  /** The events that `source_id` of the query names. */
  | 'source'
  /** The body. */
  | 'body'
  /** `after` of the query, by which the upstream leaves out what is older; narrowing adds it. */
  | 'after';

export interface AccessRule {
  /** Undefined: every method. */
  readonly methods?: readonly string[];
  readonly path: string;
  /** The rule is for paths that contain this text. */
  readonly having?: string;
  readonly level: AccessLevel;
  /** Whoever may read the resource may use the rule's methods on it, even those that change something. */
  readonly changes?: true;
  /** Closed to API tokens, which could make themselves permanent or wider by it. */
  readonly requiresSession?: true;
  /** Open to whoever has to set up a second factor first. */
  readonly beforeSecondFactor?: true;
  /**
   * Of a list: the one parameter of the query by which the upstream filters it, so that nothing of other cameras is in the
   * answer. Without it, the list is closed to tokens that are limited to cameras.
   */
  readonly filter?: 'camera' | 'cameras';
  /** A release of the upstream ignores `filter`: the query is narrowed, and counts as one that is not filtered. */
  readonly isFilterNew?: true;
  /** A parameter of the query, with which something of other cameras may be in the answer whatever `filter` says. */
  readonly unfilteredWith?: 'event_id';
  /** Of what names no camera: it tells nothing of any, or only of those of the identity. */
  readonly namesNoCamera?: true;
  /**
   * A WebSocket that tells of all cameras (`messages.ts`): to roles that are limited to some it is open where each message is
   * filtered, by the gate or by the recorder.
   */
  readonly messages?: true;
  /**
   * Of what changes something: nothing in the body says of what, so that the path says it all. Without it, the rule is closed to
   * tokens that are limited to cameras: an export may be given a picture of another camera, for one.
   */
  readonly bodyless?: true;
  /** Of a camera in the path: the body, where somebody reads it, may name a picture too. */
  readonly body?: 'export';
  /**
   * Where it stands when what is shown was recorded, for roles that see nothing of before a moment (`recorded-since.ts`). Without a
   * word it is closed to them.
   */
  readonly recorded?: RecordedWhen;
  /** Why somebody is refused whom a release of the recorder lets in. */
  readonly stricter?: string;
}
