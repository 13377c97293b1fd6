import type { EntryPoint } from '../../src/policy/request-context.ts';
import type { FrontName } from '../support/fronts.ts';
import type { RawRequest } from '../support/raw-http.ts';

/** Who the upstream must believe is asking. */
export interface Passes {
  readonly user: string;
  readonly role: string;
  /** The request target that must reach the upstream, where that is not to be taken for granted. */
  readonly target?: string;
  /** What the upstream answers; 200 when absent. */
  readonly status?: number;
}

/** `refused`: a 4xx, and nothing reaches the upstream. `answered`: by the gate itself; nothing reaches the upstream. */
export type Expected = 'refused' | 'answered' | Passes;

/** One attack, and what must come of it. */
export interface Row {
  readonly name: string;
  readonly entryPoint?: EntryPoint;
  /** Made when it is sent, where it depends on the time. */
  readonly request: RawRequest | (() => RawRequest);
  readonly expect: Expected;
  /** Where a front differs on purpose. */
  readonly but?: Partial<Record<FrontName, Expected>> | undefined;
}

/** @returns where a front differs that narrows the query of a list: what reaches the upstream names granted cameras alone */
export function narrowedTo(target: string | undefined, passes: Passes): Row['but'] {
  if (target === undefined) return undefined;
  const narrowed = { ...passes, target, ...(isEmptyLookup(target) && { status: 422 }) };
  return { 'embedded front': narrowed, nginx: narrowed };
}

/** Whether the events app is asked for no event. */
function isEmptyLookup(target: string): boolean {
  return target.startsWith('/api/event_ids') && !/[?&]ids=./.test(target);
}

/** Fronts that are not nginx could pass such a header on: the gate refuses the request. */
export const refusedElsewhere = { 'forward-auth': 'refused', 'ext-authz': 'refused' } as const;

export const secret = 'correct horse battery staple';

type Header = readonly [name: string, value: string];

export const proxySecret: Header = ['X-Proxy-Secret', secret];
export const anonymous: Passes = { user: 'anonymous', role: 'admin' };

/** What a well-behaved upstream proxy sends for a user of one group. */
export function from(user: string, group: string, ...more: readonly Header[]): readonly Header[] {
  return [proxySecret, ['Remote-User', user], ['Remote-Groups', group], ...more];
}

export const attackConfig = {
  auth: {
    enabled: false,
    roles: {
      front: ['front_door'],
      operator: ['garage', 'driveway'],
      hyphens: ['yard', 'yard-2'],
      admins: ['config'],
    },
  },
  cameras: {
    front_door: { live: { streams: { Main: 'front_door', Sub: 'front_door_sub', All: 'birdseye' } } },
    garage: { live: { streams: { Main: 'garage', Sub: 'garage_sub', Both: 'shared_stream' } } },
    driveway: { live: { streams: { Both: 'shared_stream' } } },
    yard: {},
    'yard-2': {},
    'yard-2-west': {},
    back_yard: {},
    side_yard: {},
    config: {},
    Garage: {},
  },
  proxy: {
    auth_secret: secret,
    header_map: { user: 'Remote-User', role: 'Remote-Groups' },
    role_map: {
      admin: ['group_admin'],
      viewer: ['group_viewer'],
      front: ['group_front'],
      operator: ['group_operator'],
      hyphens: ['group_hyphens'],
      admins: ['group_admins'],
      none: ['group_leavers'],
    },
  },
};
