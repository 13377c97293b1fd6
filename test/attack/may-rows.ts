import { startFronts, type Fronts } from '../support/fronts.ts';
import type { RawRequest } from '../support/raw-http.ts';
import { asked, isOpenTo, mayConfig, mayDatabase, roles, roleWithout } from './may-table.ts';
import { anonymous, from, type Row } from './row.ts';

export async function startWithMay(features: object): Promise<Fronts> {
  const database = mayDatabase();
  const fronts = await startFronts({
    config: { ...mayConfig, features, events: { database: database.path } },
  });
  return {
    ...fronts,
    close: async () => {
      await fronts.close();
      database.remove();
    },
  };
}

const as = (role: string, request: RawRequest): RawRequest => ({
  ...request,
  headers: [...from('mae', `group_${role}`), ...(request.headers ?? [])],
});

/** Other requests for the same. */
const spellings: Readonly<Record<string, (request: RawRequest) => RawRequest>> = {
  'by HEAD': (request) => ({ ...request, method: 'HEAD' }),
  'in capitals': ({ uri, ...more }) => ({
    ...more,
    uri: uri.replace(/^[^?]*/, (path) => path.toUpperCase()),
  }),
  'with a letter encoded': ({ uri, ...more }) => ({
    ...more,
    uri: `/%${uri.charCodeAt(1).toString(16)}${uri.slice(2)}`,
  }),
  'with two slashes': ({ uri, ...more }) => ({ ...more, uri: uri.replace(/(?<=\w)\//, '//') }),
};

const firstOfEachNeed = asked.filter(({ needs }, i) => asked.findIndex((kind) => kind.needs === needs) === i);

/** What roles may do, by each kind of path. */
export const mayRows: readonly Row[] = [
  ...Object.keys(roles).flatMap((role) =>
    asked.map((kind): Row => {
      const expected = (isWhole: boolean) =>
        isOpenTo(role, kind, isWhole) ? { user: 'mae', role } : 'refused';
      return {
        name: `${role}: ${kind.name}`,
        request: as(role, kind.request),
        expect: expected(false),
        but: { 'embedded front': expected(true), nginx: expected(true) },
      };
    }),
  ),
  ...asked.flatMap(({ needs, name, request }) => {
    if (needs === 'shell') return [];
    const role = roleWithout(needs);
    return Object.entries(spellings).map(([how, spell]): Row => ({
      name: `${role}, ${how}: ${name}`,
      request: as(role, spell(request)),
      expect: 'refused',
    }));
  }),
  // Everyone is admin there, and nothing narrows an admin.
  ...firstOfEachNeed.map((kind): Row => ({
    name: `on the internal entry point: ${kind.name}`,
    entryPoint: 'internal',
    request: as('live_alone', kind.request),
    expect: anonymous,
  })),
];
