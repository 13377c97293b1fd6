import * as v from 'valibot';
import { isPlainObject, readJson } from '../policy/json.ts';
import { type RecorderAnswer, refusalOf, unheardReasons } from './recorder-client.ts';

/** The part of the recorder's own configuration that the gate reads. */
export interface RecorderConfiguration {
  /** Live streams by camera, from `live.streams`, in the order of `ui.order`; disabled cameras are included. */
  readonly cameras: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of cameras on the recorder's own pages (`friendly_name`), where they have one. */
  readonly friendlyNames: ReadonlyMap<string, string>;
  /** Names of restreams (`go2rtc.streams`). */
  readonly restreams: ReadonlySet<string>;
  /** Cameras by custom role (`auth.roles`). */
  readonly roles: ReadonlyMap<string, ReadonlySet<string>>;
  /** Cameras by group (`camera_groups`), in their `order`; they give no access. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Why the recorder's configuration is not known. Operators search for these words. */
export const unreadReasons = {
  ...unheardReasons,
  no_configuration:
    'the answer at upstream is no configuration of a recorder, or has no camera, like that of a recorder in safe mode',
  too_large: 'the configuration has more cameras, streams, roles or groups than any recorder has',
} as const;

export type UnreadReason = keyof typeof unreadReasons;

export type ConfigurationRead =
  | { readonly configuration: RecorderConfiguration }
  | { readonly fault: UnreadReason; readonly detail?: string };

// Counts cameras, their streams, restreams, roles, groups, and the cameras of both.
const mostEntries = 10_000;

const anyMap = v.custom<Readonly<Record<string, unknown>>>(isPlainObject);

// Longer than any name on a page.
const longestName = 128;

/** Recorders write an empty list for a camera without streams. */
const camera = v.object({
  live: v.nullish(v.object({ streams: v.nullish(v.union([anyMap, v.strictTuple([])])) })),
});

type Camera = v.InferOutput<typeof camera>;

const document = v.object({
  cameras: v.pipe(
    anyMap,
    v.check((cameras) => Object.keys(cameras).length > 0),
    v.check((cameras) => Object.values(cameras).every((value) => v.is(camera, value))),
  ),
  go2rtc: v.nullish(v.object({ streams: v.nullish(anyMap) })),
  auth: v.nullish(v.object({ roles: v.nullish(anyMap) })),
  camera_groups: v.optional(v.unknown()),
});

/** Reads the response to `GET /api/config`, requested as an admin. */
export function readConfigurationAnswer(answer: RecorderAnswer): ConfigurationRead {
  const refusal = refusalOf(answer);
  if (refusal !== undefined) return { fault: refusal, detail: String(answer.status) };
  const read = v.safeParse(document, readJson(answer.body));
  if (!read.success) return { fault: 'no_configuration' };
  const { cameras, go2rtc, auth, camera_groups: groups } = read.output;
  const configuration = {
    cameras: mapOf(
      inOrder(cameras, (value) => asMap(asMap(value)['ui'])['order']),
      (value) => namesIn(Object.values((value as Camera).live?.streams ?? {})),
    ),
    friendlyNames: friendlyNamesIn(cameras),
    restreams: new Set(Object.keys(go2rtc?.streams ?? {})),
    roles: mapOf(Object.entries(auth?.roles ?? {}), (granted) => namesIn(listed(granted))),
    groups: mapOf(
      inOrder(isPlainObject(groups) ? groups : {}, (group) => asMap(group)['order']),
      (group) => namesIn(listed(asMap(group)['cameras'])),
    ),
  };
  return sizeOf(configuration) > mostEntries ? { fault: 'too_large' } : { configuration };
}

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}

/** Entries of the same order, or without one, stay as they are written. */
function inOrder(
  written: Readonly<Record<string, unknown>>,
  orderOf: (value: unknown) => unknown,
): ReadonlyArray<readonly [string, unknown]> {
  const rank = (value: unknown) => {
    const order = orderOf(value);
    return typeof order === 'number' ? order : 0;
  };
  return Object.entries(written).toSorted(([, a], [, b]) => rank(a) - rank(b));
}

function friendlyNamesIn(cameras: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const named = Object.entries(cameras).map(([camera, value]) => {
    const name = asMap(value)['friendly_name'];
    return [camera, typeof name === 'string' ? name.trim().slice(0, longestName) : ''] as const;
  });
  return new Map(named.filter(([, name]) => name !== ''));
}

function mapOf(
  entries: ReadonlyArray<readonly [string, unknown]>,
  of: (value: unknown) => ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(entries.map(([name, value]) => [name, of(value)]));
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function namesIn(values: readonly unknown[]): ReadonlySet<string> {
  return new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''));
}

function sizeOf({ cameras, restreams, roles, groups }: RecorderConfiguration): number {
  const maps = [cameras, roles, groups];
  const entries = maps
    .flatMap((map) => [...map.values()])
    .reduce((sum, { size }) => sum + size, restreams.size);
  return maps.reduce((sum, { size }) => sum + size, entries);
}
