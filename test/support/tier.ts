/** Whether only the quick tests run, as `script/test` without arguments does: some files then take a sample of their rows. */
export const isQuick = process.env['TESTS'] === 'quick';
