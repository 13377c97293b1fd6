import { expect, test } from 'vitest';
import { withoutTwins } from '../../../../../src/web/ui/roles/roles-api.ts';

const named = (...names: readonly string[]) => names.map((name) => ({ name }));

test.each<[what: string, offered: readonly string[], own: readonly string[], left: readonly string[]]>([
  ['the same name', ['docks', 'yard'], ['docks'], ['yard']],
  ['in another case', ['Docks', 'DOCKS', 'yard'], ['docks'], ['yard']],
  ['with a space for what is a line here', ['Back yard'], ['back_yard'], []],
  ['two of the recorder', ['Docks', 'docks'], [], ['Docks']],
  ['another name', ['dock'], ['docks'], ['dock']],
])('a group of the recorder is not offered beside a twin: %s', (_, offered, own, left) => {
  expect(withoutTwins(named(...offered), named(...own)).map(({ name }) => name)).toEqual(left);
});
