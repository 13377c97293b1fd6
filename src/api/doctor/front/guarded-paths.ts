import type { AccessRule } from '../../../policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../../policy/recorder/access-rules.ts';

/** A request for something of the recorder, harmless even where nothing guards it. */
export interface GuardedPath {
  readonly target: string;
  /** The part of the path that a front has its own location for: `/clips/`, `/api/events/`. */
  readonly place: string;
  readonly upgrade?: true;
}

/**
 * A path below everything that the table of access rules knows of the recorder, and the folders that recorders list. Nothing has to be
 * there: a front asks Postern before it looks.
 * @param camera a camera of the recorder, or any name
 */
export function guardedPaths(camera: string): readonly GuardedPath[] {
  const targets = new Map<string, GuardedPath>();
  const add = (target: string, upgrade?: true) => {
    const key = `${target} ${upgrade ?? ''}`;
    targets.set(key, { target, place: placeOf(target), ...(upgrade && { upgrade }) });
  };
  for (const rule of [...lockedRules, ...recorderRules].filter(mayBeAsked)) {
    for (const target of fill(rule.path, camera)) {
      add(target);
      if (rule.messages === true || rule.path.startsWith('/live/')) add(target, true);
    }
  }
  return [...targets.values()];
}

function mayBeAsked({ methods, level, path, having, watch, messages }: AccessRule): boolean {
  if (methods?.includes('GET') === false || level === 'public' || having !== undefined) return false;
  // The rest shows no camera, and some of it starts programs; login-required asks for pages, API and configuration.
  return (watch !== undefined || messages === true || path === '/api/logs/**') && path !== '/**';
}

const when = '1700000000.123456-doctor';

/** Files of an event or a review, as the table names them for the last event of a label. */
const files = recorderRules
  .map(({ path }) => /^\/api\/:known\/\*\/(\w+\.\w+)$/.exec(path)?.[1])
  .filter((file) => file !== undefined);

/** Paths that match a pattern of the table. */
function fill(pattern: string, camera: string): readonly string[] {
  const segments = pattern.split('/').slice(1);
  const isOpen = segments.at(-1) === '**';
  const fixed = (isOpen ? segments.slice(0, -1) : segments).map((segment) => segmentFor(segment, camera));
  const start = `/${fixed.join('/')}`;
  if (!isOpen) return [start];
  if (pattern === '/ws*/**') return [start];
  // A folder that the recorder may list.
  if (segments.length === 2) return [`${start}/`, `${start}/doctor/doctor.mp4`];
  return /^\/api\/.*:(?:event|review)\/\*\*$/.test(pattern)
    ? files.map((file) => `${start}/${file}`)
    : [`${start}/doctor/doctor.mp4`];
}

function segmentFor(segment: string, camera: string): string {
  const name = encodeURIComponent(camera);
  switch (segment) {
    case ':camera':
    case ':known':
    case ':stream':
      return name;
    case ':file':
      return `${name}-${when}.jpg`;
    case ':event':
    case ':review':
      return when;
    case ':export':
      return 'doctor.mp4';
    case '*':
      return '1';
    default:
      // `latest.*`, `ws*`
      return segment.replace(/\.\*$/, '.jpg').replace('*', '');
  }
}

function placeOf(target: string): string {
  const [, first = '', second, third] = target.split('/');
  if (first !== 'api') return second === undefined ? `/${first}` : `/${first}/`;
  return third === undefined ? `/api/${second ?? ''}` : `/api/${second ?? ''}/`;
}
