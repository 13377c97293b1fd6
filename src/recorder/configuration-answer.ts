import * as v from 'valibot';
import { isPlainObject, readJson } from '../policy/json.ts';
import type { RecorderAnswer } from './recorder-client.ts';
import { refusalOf, unheardReasons } from './unheard.ts';

/** What the gate reads from the recorder's own configuration. */
export interface RecorderConfiguration {
  /** Live streams by camera, from `live.streams`; disabled cameras are included. */
  readonly cameras: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of restreams (`go2rtc.streams`). */
  readonly restreams: ReadonlySet<string>;
  /** Cameras by custom role (`auth.roles`). */
  readonly roles: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Why the recorder's configuration is not known. Operators search for these words. */
export const unreadReasons = {
  ...unheardReasons,
  no_configuration:
    'the answer at upstream is no configuration of a recorder, or has no camera, as that of a recorder in safe mode',
  too_large: 'the configuration has more cameras, streams or roles than anybody has',
} as const;

export type UnreadReason = keyof typeof unreadReasons;

export type ConfigurationRead =
  | { readonly configuration: RecorderConfiguration }
  | { readonly fault: UnreadReason; readonly detail?: string };

// In all: cameras, their streams, restreams, roles, and the cameras of roles.
const mostEntries = 10_000;

const anyMap = v.custom<Readonly<Record<string, unknown>>>(isPlainObject);

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
});

/** Reads the response to `GET /api/config`, requested as an admin. */
export function readConfigurationAnswer(answer: RecorderAnswer): ConfigurationRead {
  const refusal = refusalOf(answer);
  if (refusal !== undefined) return { fault: refusal, detail: String(answer.status) };
  const read = v.safeParse(document, readJson(answer.body));
  if (!read.success) return { fault: 'no_configuration' };
  const { cameras, go2rtc, auth } = read.output;
  const configuration = {
    cameras: mapOf(cameras, (value) => namesIn(Object.values((value as Camera).live?.streams ?? {}))),
    restreams: new Set(Object.keys(go2rtc?.streams ?? {})),
    roles: mapOf(auth?.roles ?? {}, (granted) => namesIn(Array.isArray(granted) ? granted : [])),
  };
  return sizeOf(configuration) > mostEntries ? { fault: 'too_large' } : { configuration };
}

function mapOf(
  written: Readonly<Record<string, unknown>>,
  of: (value: unknown) => ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(written).map(([name, value]) => [name, of(value)]));
}

function namesIn(values: readonly unknown[]): ReadonlySet<string> {
  return new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''));
}

function sizeOf({ cameras, restreams, roles }: RecorderConfiguration): number {
  const entries = [...cameras.values(), ...roles.values()].reduce((sum, { size }) => sum + size, 0);
  return cameras.size + restreams.size + roles.size + entries;
}
