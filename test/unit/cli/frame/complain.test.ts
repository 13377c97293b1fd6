import { expect, test, vi } from 'vitest';
import { complain } from '../../../../src/cli/frame/output.ts';

test("a name in someone else's file gives the terminal no commands", () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  complain('config.yml auth.roles.\u001b[2J\u009b: found\r a name\n\tat line 2 \u0007');
  expect(write.mock.calls).toEqual([
    ['postern: config.yml auth.roles.?[2J?: found? a name\n\tat line 2 ?\n'],
  ]);
  write.mockRestore();
});
