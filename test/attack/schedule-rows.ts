import { attackConfig, from, narrowedTo, type Row } from './row.ts';

/** A role without earlier recordings, one whose schedule is over, and one whose schedule has not begun. */
export const scheduleConfig = {
  ...attackConfig,
  auth: {
    ...attackConfig.auth,
    role_access: {
      front: { from: '2020-01-01', history: 'from' },
      operator: { until: '2001-01-01' },
      hyphens: { from: '9000-01-01T00:00', hours: '00:00-24:00' },
    },
  },
};

const asFront = from('fred', 'group_front');
const front = { user: 'fred', role: 'front' };
const outside = [
  { user: 'otto', role: 'operator', headers: from('otto', 'group_operator') },
  { user: 'hy', role: 'hyphens', headers: from('hy', 'group_hyphens') },
];

// Seconds: the gate runs in the time zone of the tests.
const since = new Date(2020, 0, 1).getTime() / 1_000;
const later = 1_793_171_721;
// Rows of the sample database, which are of later.
const event = '1793171721.544347-5lmtzv';

const targets: readonly string[] = [
  '/',
  '/api/garage/latest.jpg',
  '/api/yard/latest.jpg',
  '/live/mse/api/ws?src=garage',
  '/live/jsmpeg/yard',
  '/ws',
  '/api/events',
  '/api/events?cameras=garage',
  '/api/version',
  '/vod/yard/start/1/end/2/index.m3u8',
  '/postern/api/cameras',
  '/postern/api/live',
  '/postern/api/roles',
  '/postern/',
  '/API/garage/latest.jpg',
  '/api/%67arage/latest.jpg',
  '/api/profile/../garage/latest.jpg',
];

const whateverTheTime: readonly Row[] = outside.flatMap(({ user, role, headers }) => {
  const rows = targets.map((uri): Row => ({
    name: `${role}, outside: ${uri}`,
    request: { uri, headers },
    expect: 'refused',
  }));
  rows.push({
    name: `${role}, outside: who is asking`,
    request: { uri: '/api/profile', headers },
    expect: { user, role },
    but: { 'embedded front': 'answered', nginx: 'answered' },
  });
  return rows;
});

/** Open at one time, and closed at others; `$` stands for the time. */
const timed: readonly string[] = [
  '/vod/front_door/start/$/end/1999999999/index.m3u8',
  '/vod/clip/front_door/start/$/end/1999999999/index.m3u8',
  '/api/front_door/start/$/end/1999999999/clip.mp4',
  '/api/front_door/recordings/$/snapshot.jpg',
  '/api/preview/front_door/start/$/end/1999999999',
  '/api/preview/all/start/$/end/1999999999',
  '/clips/front_door-$-abcdef.jpg',
  '/clips/previews/front_door/$-1999999999.5.mp4',
  '/clips/review/thumb-front_door-$-abcdef.webp',
  '/api/preview/preview_front_door-$.webp/thumbnail.webp',
];

const closed: readonly string[] = [
  ...['1e10', '-1', '%2B1793171721', '0x6ae1c7c9', '1793171721,1', 'NaN', '%20'].map(
    (time) => `/api/front_door/start/${time}/end/1999999999/clip.mp4`,
  ),
  // Recorders find all that lies between.
  `/api/front_door/start/${later}/end/1/clip.mp4`,
  `/vod/front_door/start/${later}/end/1/index.m3u8`,
  `/api/preview/front_door/start/${later}/end/1`,
  `/api/front_door/START/${later}/end/1999999999/clip.mp4`,
  `/api/front_door/start//${later}/end/1999999999/clip.mp4/../../../1/end/2/clip.mp4`,
  `/api/events/${event}/clip.mp4?padding=1000000000`,
  `/api/events/${event}/clip.mp4?padding=1&padding=1000000000`,
  `/api/events/${event}/clip.mp4?%70adding=1000000000`,
  '/api/events/explore',
  '/api/events/summary',
  '/api/review/summary',
  '/api/recordings/summary',
  '/api/front_door/recordings/summary',
  '/api/front_door/person/best.jpg',
  '/api/exports',
  '/api/labels?camera=front_door',
  '/api/timeline?camera=front_door',
  '/recordings/2019-12-30/23/front_door/59.59.mp4',
  '/vod/2019-12/30/23/front_door/utc/index.m3u8',
  `/api/events?cameras=front_door&x=1%26after=0&after=${later}`,
  `/api/events?cameras=front_door&after=${later};after=0`,
];

const named = '/api/events?cameras=front_door';
const raised = narrowedTo(`${named}&after=${since}`, front);

/** Schedules of roles, from outside and at their edges. */
export const scheduleRows: readonly Row[] = [
  ...whateverTheTime,
  ...timed.flatMap((path): Row[] => {
    const at = (time: number | string) => ({ uri: path.replace('$', `${time}`), headers: asFront });
    return [
      { name: `since: ${path}`, request: at(later), expect: front },
      { name: `before, by a millisecond: ${path}`, request: at(`${since - 1}.999`), expect: 'refused' },
      { name: `at the edge: ${path}`, request: at(since), expect: front },
    ];
  }),
  ...closed.map((uri): Row => ({
    name: `closed: ${uri}`,
    request: { uri, headers: asFront },
    expect: 'refused',
  })),
  ...['', '&after=0', `&after=${since - 1}`, `&after=${later}&after=0`, `&After=0&after=${later}`].map(
    (query): Row => ({
      name: `a list${query} is narrowed`,
      request: { uri: `${named}${query}`, headers: asFront },
      expect: 'refused',
      but: raised,
    }),
  ),
  {
    name: 'a list that says a later time stays as it is',
    request: { uri: `${named}&after=${later}`, headers: asFront },
    expect: front,
  },
  ...['/api/front_door/latest.jpg', `/api/events/${event}/thumbnail.jpg`, '/'].map((uri): Row => ({
    name: `open: ${uri}`,
    request: { uri, headers: asFront },
    expect: front,
  })),
];
