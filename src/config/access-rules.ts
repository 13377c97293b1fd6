import * as v from 'valibot';
import type { Need } from '../policy/access-rule.ts';
import { described } from './values.ts';
import { isConfigurationPath } from '../policy/recorder/masked-configuration.ts';

/** A rule that an operator adds to the access rules; policy/access-rule.ts defines the terms. */
export interface AccessRule {
  readonly methods?: readonly string[];
  readonly path: string;
  readonly having?: string;
  readonly level: ConfiguredLevel;
  readonly may: Need;
  readonly changes?: true;
  readonly recorded?: 'now';
}

/** Requirements that an operator may use, each with the path segment of its camera. */
const namedSegments = {
  any: undefined,
  list: undefined,
  'admin-only': undefined,
  unresolved: undefined,
  'every-camera': undefined,
  'camera-in-path': [':camera', ':known'],
  'stream-in-path': [':stream'],
  'camera-in-file': [':file'],
  'camera-in-src': undefined,
  'camera-of-event': [':event'],
  'camera-of-events': undefined,
  'camera-of-export': [':export'],
  'camera-of-review': [':review'],
  'camera-of-reviews': undefined,
} as const;

type ConfiguredLevel = keyof typeof namedSegments;

const levels = Object.keys(namedSegments) as ConfiguredLevel[];
const pathAllowed = 'a path of segments such as /api/porch/:camera/**, with ** at its end only';

const needs = ['live', 'history', 'export', 'shell'] as const satisfies readonly Need[];

const writtenRule = v.strictObject(
  {
    path: described(
      v.pipe(v.string(pathAllowed), v.check(isPathPattern, pathAllowed)),
      `Which paths: ${pathAllowed}.`,
    ),
    methods: described(
      v.optional(
        v.pipe(
          v.array(v.pipe(v.string(), v.regex(/^[A-Z]+$/, 'a method in capitals')), 'a list of methods'),
          v.nonEmpty('at least one method'),
        ),
      ),
      'Methods to which the rule applies, in capitals. Default: all.',
    ),
    having: described(
      v.optional(v.pipe(v.string('text'), v.nonEmpty('text that is not empty'))),
      'Text that the path must contain for the rule to apply.',
    ),
    require: described(
      v.picklist(levels, `one of ${levels.join(', ')}`),
      'Who may, or where the camera is found (docs/access.md).',
    ),
    changes: described(
      v.optional(v.boolean('true or false'), false),
      '`true`: the right to read the path is enough to use `methods`.',
    ),
    recorded: described(
      v.optional(v.literal('now', 'now, or nothing')),
      '`now`: the path shows no recordings, so roles without earlier recordings may open it.',
    ),
    may: described(
      v.optional(v.picklist(needs, `one of ${needs.join(', ')}`)),
      'What a role must be able to do; `shell`: nothing. Default: `live`, `history` and `export`.',
    ),
  },
  'a rule with the keys path, methods, having, require, may, changes, recorded',
);

type WrittenRule = v.InferOutput<typeof writtenRule>;

const rule = v.pipe(
  writtenRule,
  v.check(
    (written: WrittenRule) => namesWhatItNeeds(written),
    'a path with the segment that the access level looks at, such as :camera',
  ),
  v.check(
    ({ changes, methods }: WrittenRule) => !changes || methods !== undefined,
    'methods beside changes: true',
  ),
  v.transform(ruleOf),
);

// Rules of one path are tried in turn.
const mostOfOnePath = 20;

export const accessRules = v.pipe(
  v.array(rule, 'a list of rules'),
  v.check(
    (rules) =>
      [...Map.groupBy(rules, ({ path }) => path).values()].every(({ length }) => length <= mostOfOnePath),
    `at most ${mostOfOnePath} rules of one path`,
  ),
);

/** The gate masks a recorder's configuration, which its UI needs on each page. */
function needOf({ path, may }: WrittenRule): Need {
  return may ?? (isConfigurationPath(path) ? 'shell' : 'everything');
}

function ruleOf(written: WrittenRule): AccessRule {
  const { require: level, changes, path, methods, having, recorded } = written;
  return {
    path,
    level,
    may: needOf(written),
    ...(methods === undefined ? {} : { methods }),
    ...(having === undefined ? {} : { having }),
    ...(changes ? { changes: true } : {}),
    ...(recorded === undefined ? {} : { recorded }),
  };
}

function isPathPattern(path: string): boolean {
  if (!/^\/[^\s?#%\\;]*$/.test(path) || path.includes('//')) return false;
  const segments = path.slice(1).split('/');
  return segments.every(
    (segment, i) =>
      (segment === '**' && i === segments.length - 1) ||
      (segment.startsWith(':')
        ? /^:(?:camera|known|stream|file|event|export|review)$/.test(segment)
        : /^[^*:]*\*?[^*:]*$/.test(segment) && segment !== '.' && segment !== '..'),
  );
}

function namesWhatItNeeds({ path, require }: WrittenRule): boolean {
  if (!isPathPattern(path)) return true;
  const named = path.split('/').filter((segment) => segment.startsWith(':'));
  const needed: readonly string[] | undefined = namedSegments[require];
  return needed === undefined ? named.length === 0 : named.length === 1 && needed.includes(named[0] ?? '');
}
