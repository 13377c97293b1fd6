import { describe, expect, test } from 'vitest';
import { problemText, resolve } from './resolve-document.ts';

test.each<[what: string, ui: unknown, result: object]>([
  ['nothing', undefined, { name: undefined, logo: undefined, accent: undefined, landing: 'home' }],
  [
    'null',
    { name: null, logo: null, accent: null, landing: null },
    { name: undefined, logo: undefined, accent: undefined, landing: 'home' },
  ],
  ['a landing page', { landing: 'recorder' }, { landing: 'recorder' }],
  [
    'a face',
    { name: ' Willow Lane ', logo: 'house.webp', accent: '#0B5cad' },
    { name: 'Willow Lane', logo: 'house.webp', accent: '#0B5cad' },
  ],
  [
    'a name that looks like markup, which pages escape',
    { name: '</title>$& "x"' },
    { name: '</title>$& "x"' },
  ],
  ['beside keys of the recorder', { timezone: 'Europe/Berlin', name: 'Gate' }, { name: 'Gate' }],
])('takes %s', (_, ui, result) => {
  expect(resolve({ ui }).ui).toMatchObject(result);
});

describe('refuses', () => {
  test.each<[what: string, ui: unknown, problem: RegExp]>([
    ['an empty name', { name: ' ' }, /^ui\.name: .*not empty/],
    ['a long name', { name: 'a'.repeat(41) }, /^ui\.name: .*at most 40/],
    ['a name of two lines', { name: 'a\nb' }, /^ui\.name: .*one line/],
    ['a name that turns the direction', { name: 'a\u202eb' }, /^ui\.name: .*one line/],
    ['a name with a mark of direction', { name: 'a\u200fb' }, /^ui\.name: .*one line/],
    ['a named colour', { accent: 'red' }, /^ui\.accent: .*#1f6f5e/],
    ['a colour with more behind it', { accent: '#1f6f5e;}</style>' }, /^ui\.accent: /],
    ['a colour of two lines', { accent: '#1f6f5e\n' }, /^ui\.accent: /],
    ['a function of CSS', { accent: 'url(https://evil.example)' }, /^ui\.accent: /],
    ['a picture in another folder', { logo: '../store/house.png' }, /^ui\.logo: .*without a folder/],
    ['an absolute path', { logo: '/etc/house.png' }, /^ui\.logo: .*without a folder/],
    ['a path of Windows', { logo: '..\\house.png' }, /^ui\.logo: .*without a folder/],
    ['a hidden file', { logo: '.jwt_secret.png' }, /^ui\.logo: /],
    ['a database', { logo: 'postern.db' }, /^ui\.logo: /],
    ['an SVG', { logo: 'house.svg' }, /^ui\.logo: .*\.png, \.jpg or \.webp/],
    ['a name with a null byte', { logo: 'postern.db\0.png' }, /^ui\.logo: /],
    ['another landing page', { landing: 'frigate' }, /^ui\.landing: .*one of home, recorder/],
    ['a landing page in capitals', { landing: 'Home' }, /^ui\.landing: .*one of home, recorder/],
    ['a path as landing page', { landing: '/postern/' }, /^ui\.landing: .*one of home, recorder/],
    ['no text as landing page', { landing: false }, /^ui\.landing: .*one of home, recorder/],
    ['a typo', { acent: '#1f6f5e' }, /^ui\.acent: found an unknown key/],
  ])('%s', (_, ui, problem) => {
    expect(problemText({ ui })).toMatch(problem);
  });
});
