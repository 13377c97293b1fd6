import * as v from 'valibot';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { invalid, strictBody } from '../../http/validation.ts';
import { apiTokenName, longestLife } from '../api-tokens/api-tokens.ts';
import type { ApiTokenUses } from '../api-tokens/uses.ts';
import { type Display, type Displays, displayMay, displayStates, listedDisplay } from './displays.ts';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import type { Users } from '../../accounts/users/users.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { Capability } from '../../policy/capability.ts';
import { currentRole } from '../../policy/role-access.ts';
import { scopeProblem } from '../../policy/token-scope.ts';
import type { Reading } from '../../store/permit.ts';
import { readIfPossible, type RequestLog } from '../../telemetry/request-log.ts';
import { actorOf } from '../../api/request.ts';
import { endpoint } from '../../api/endpoint.ts';
import type { ApiContext } from '../../api/environment.ts';
import { permitIf } from '../../api/permit.ts';
import { requireStepUp, stepUpNeeded } from '../../api/require-step-up.ts';
import { ownSession } from '../../api/second-factor/own-factors.ts';
import { openCode, type CodeDependencies } from './pairing.ts';

/* The screens that users have approved: their own, and everyone's for admins. */

export interface DisplaysDependencies extends CodeDependencies {
  readonly displays: Displays;
  readonly users: Pick<Users, 'find'>;
  readonly apiTokenUses: Pick<ApiTokenUses, 'list'>;
  readonly changeLimit: ChangeLimit;
  readonly logger: RequestLog;
  readonly clock: Clock;
}

const name = v.pipe(
  v.string('Input should be text'),
  v.check(
    (text) => v.is(apiTokenName, text),
    'A name has 1 to 64 printable characters, and no space at its ends',
  ),
);
const cameras = v.pipe(
  v.array(v.string('Input should be text'), 'Input should be a list'),
  v.minLength(1, 'Name a camera at least'),
);
const may = v.pipe(
  v.array(
    v.picklist(displayMay, 'Input should be live, history or export: a display changes nothing'),
    'Input should be a list',
  ),
  v.minLength(1, 'Name a word at least'),
);
const until = v.pipe(
  v.number('Input should be a number'),
  v.integer('Input should be a whole number'),
  v.description(`Seconds since the epoch, within the next ${longestLife} days.`),
);

const newDisplay = strictBody({
  user_code: v.string('Input should be text'),
  name,
  cameras: v.optional(v.pipe(cameras, v.description('Without it: all that you may see, now and later.'))),
  may: v.optional(v.pipe(may, v.description('Default: `live`.'))),
  until: v.optional(until),
});

const changes = strictBody({
  name: v.optional(name),
  cameras: v.optional(v.nullable(cameras)),
  may: v.optional(may),
  until: v.optional(v.nullable(until)),
});

const moment = (meaning: string) =>
  v.pipe(v.nullable(v.number()), v.description(`Seconds since the epoch; null: ${meaning}.`));
const entry = v.strictObject({
  id: v.string(),
  username: v.pipe(v.string(), v.description('The user who approved it.')),
  name: v.string(),
  cameras: v.pipe(v.nullable(v.array(v.string())), v.description('Null: all that its user may see.')),
  may: v.array(v.picklist(displayMay)),
  created_at: v.number(),
  until: moment('until it is ended'),
  last_seen_at: moment('not seen yet'),
  last_seen_from: v.nullable(v.string()),
  state: v.pipe(
    v.picklist(displayStates),
    v.description(
      '`waiting`: its screen has not fetched its credential yet; `suspended`: the user who approved it is blocked.',
    ),
  ),
});

const account = { level: 'own-account', requiresSession: true, tag: 'Displays' } as const;

export const approveDisplay = endpoint({
  method: 'post',
  path: '/postern/api/displays',
  ...account,
  summary: 'Approve a screen',
  description:
    'It shows what you may see at each moment, narrowed to `cameras` and `may`, and nothing else: an admin approves it as a viewer.',
  body: newDisplay,
  bodyExample: { user_code: 'BCDF-GHJK', name: 'Kitchen tablet', cameras: ['driveway'] },
  answers: {
    201: {
      meaning: 'Approved: the screen gets its credential the next time it asks.',
      body: v.strictObject({ id: v.string(), name: v.string() }),
    },
    403: stepUpNeeded,
    404: { meaning: 'No screen shows this code now, or it has been approved.' },
    409: { meaning: 'You have a display with this name, or too many.' },
    429: { meaning: 'Too many codes that no screen shows, or too many displays within an hour.' },
  },
  handle: (dependencies: DisplaysDependencies) => {
    const { settings, displays, changeLimit, audit, clock } = dependencies;
    return async (c) => {
      const { user } = ownSession(c, settings);
      requireStepUp(c, clock);
      const body = c.req.valid('json');
      const wanted = {
        name: body.name,
        owner: user.username,
        cameras: body.cameras && new Set(body.cameras),
        may: new Set<Capability>(body.may ?? ['live']),
        expiresAt: expiryOf(body.until ?? undefined, clock.now()),
      };
      const requireScope = scopeWithin(dependencies, wanted);
      await requireScope(settings);
      await changeLimit.take('display', user.username);
      const code = await openCode(c, body.user_code, dependencies);
      const role = roleOf(user.role, settings);
      const display = await displays.approve(
        code.deviceHash,
        { ...wanted, role },
        permitIf(c.var.permit, requireScope),
      );
      await audit.record({
        event: 'display_paired',
        ...actorOf(c, settings),
        object: display.name,
        detail: { ...detailOf(display), screen: code.address },
      });
      return { id: display.id, name: display.name };
    };
  },
});

export const listDisplays = endpoint({
  method: 'get',
  path: '/postern/api/displays',
  ...account,
  summary: 'List your displays',
  description: 'Admins get those of all users.',
  query: v.object({ own: v.optional(v.picklist([''])) }),
  queryParameters: { own: 'Only your own, for an admin too. It has no value.' },
  answers: { 200: { meaning: 'By user and name.', body: v.array(entry) } },
  handle: (dependencies: DisplaysDependencies) => async (c) => {
    const { displays, apiTokenUses, logger, clock } = dependencies;
    const { user, role } = askerOf(c, dependencies.settings);
    const isForAll = role === 'admin' && c.req.valid('query').own === undefined;
    const found = await displays.list(isForAll ? undefined : user);
    const uses = await readIfPossible(
      apiTokenUses.list(),
      logger,
      'when displays were seen last cannot be read',
    );
    return found.map((display) => listedDisplay(display, uses?.get(display.id), clock.now()));
  },
});

const idParameter = { id: 'Id of the display.' };
const notYours = { meaning: 'There is no such display, or it belongs to someone else.' };

export const showDisplay = endpoint({
  method: 'get',
  path: '/postern/api/displays/:id',
  ...account,
  summary: 'Show a display',
  pathParameters: idParameter,
  answers: { 200: { meaning: 'The display.', body: entry }, 404: notYours },
  handle: (dependencies: DisplaysDependencies) => async (c) => {
    const display = await ownDisplay(c, c.req.param('id'), dependencies);
    const uses = await dependencies.apiTokenUses.list();
    return listedDisplay(display, uses.get(display.id), dependencies.clock.now());
  },
});

export const changeDisplay = endpoint({
  method: 'put',
  path: '/postern/api/displays/:id',
  ...account,
  summary: 'Change a display',
  description:
    'What is left out stays as it is. `cameras` null: all that its user may see; `until` null: until it is ended. Open pictures follow at once.',
  pathParameters: idParameter,
  body: changes,
  bodyExample: { name: 'Kitchen tablet', may: ['live', 'history'] },
  answers: {
    200: { meaning: 'Changed.', body: entry },
    403: stepUpNeeded,
    404: notYours,
    409: { meaning: 'Its user has another display with this name.' },
  },
  handle: (dependencies: DisplaysDependencies) => async (c) => {
    const { settings, displays, users, audit, clock } = dependencies;
    const before = await ownDisplay(c, c.req.param('id'), dependencies);
    requireStepUp(c, clock);
    const body = c.req.valid('json');
    const wanted = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.cameras !== undefined && { cameras: body.cameras ? new Set(body.cameras) : undefined }),
      ...(body.may !== undefined && { may: new Set<Capability>(body.may) }),
      ...(body.until !== undefined && { expiresAt: expiryOf(body.until ?? undefined, clock.now()) }),
    };
    const requireScope = scopeWithin({ users }, { owner: before.owner, ...wanted });
    await requireScope(settings);
    const changed = await displays.change(before.id, wanted, permitIf(c.var.permit, requireScope));
    if (changed === undefined) throw new AppError('display_unknown');
    await audit.record({
      event: 'display_changed',
      ...actorOf(c, settings),
      object: changed.name,
      detail: detailOf(changed),
    });
    const uses = await dependencies.apiTokenUses.list();
    return listedDisplay(changed, uses.get(changed.id), clock.now());
  },
});

export const endDisplay = endpoint({
  method: 'delete',
  path: '/postern/api/displays/:id',
  ...account,
  summary: 'End a display',
  pathParameters: idParameter,
  answers: {
    204: { meaning: 'Ended: its screen shows nothing from now on, and open pictures are cut.' },
    404: notYours,
  },
  handle: (dependencies: DisplaysDependencies) => async (c) => {
    const { settings, displays, audit } = dependencies;
    const { id, name: called, owner } = await ownDisplay(c, c.req.param('id'), dependencies);
    if (!(await displays.end(id, c.var.permit))) throw new AppError('display_unknown');
    await audit.record({
      event: 'display_ended',
      ...actorOf(c, settings),
      object: called,
      detail: { id, owner },
    });
  },
});

/** A user of a proxy may have the name of an account, but does not own its displays. */
function askerOf(c: ApiContext, { mode }: Pick<Settings, 'mode'>) {
  const { identity } = c.var.allowed;
  if (identity === undefined) throw new AppError('unauthenticated');
  if (mode === 'proxy' && identity.role !== 'admin') throw new AppError('authentication_disabled');
  return identity;
}

/** @throws AppError `display_unknown`, also for a display of someone else */
async function ownDisplay(
  c: ApiContext,
  id: string,
  { displays, settings }: Pick<DisplaysDependencies, 'displays' | 'settings'>,
): Promise<Display> {
  const { user, role } = askerOf(c, settings);
  const found = await displays.find(id);
  if (found === undefined || (role !== 'admin' && found.owner !== user))
    throw new AppError('display_unknown');
  return found;
}

interface WantedScope {
  readonly owner: string;
  readonly cameras?: ReadonlySet<string> | undefined;
  readonly may?: ReadonlySet<Capability> | undefined;
}

/** @returns throws unless the user who approves a display may give it this at the moment */
function scopeWithin(
  { users }: Pick<DisplaysDependencies, 'users'>,
  { owner, cameras: named, may: can }: WantedScope,
) {
  return async (settings: Settings, on?: Reading) => {
    const found = await users.find(owner, on);
    if (found === undefined) throw new AppError('user_unknown');
    const role = roleOf(found.role, settings);
    const known = named === undefined ? undefined : settings.allCameras();
    const problem = scopeProblem({ role, cameras: named, may: can }, found.role, settings.rules.roles, known);
    if (problem !== undefined) throw invalid(['body', problem.part], problem.message);
  };
}

/** @returns the role of a display, by that of its user */
function roleOf(ofUser: string, { rules }: Settings): string {
  const role = currentRole(ofUser, rules.roles);
  return role === 'admin' ? 'viewer' : role;
}

/** @returns milliseconds since the epoch, as `now` is */
function expiryOf(at: number | undefined, now: number): number | undefined {
  if (at === undefined) return undefined;
  if (at * 1000 <= now || at * 1000 > now + longestLife * 86_400_000)
    throw invalid(['body', 'until'], `Input should be a time within the next ${longestLife} days`);
  return at * 1000;
}

function detailOf(display: Display) {
  const { id, owner, cameras: only, may: can, expiresAt } = display;
  return {
    id,
    owner,
    ...(only !== undefined && { cameras: [...only] }),
    ...(can !== undefined && { may: [...can] }),
    ...(expiresAt !== undefined && { until: new Date(expiresAt).toISOString() }),
  };
}
