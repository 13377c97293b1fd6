import { measureDecide } from './decide.ts';
import { measureLogins } from './logins.ts';
import { print } from './report.ts';

const measurements: Readonly<Record<string, () => Promise<void>>> = {
  decide: measureDecide,
  logins: measureLogins,
};

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(measurements)) {
  const measure = measurements[name];
  if (measure === undefined)
    throw new Error(`no measurement ${name}; there are ${Object.keys(measurements).join(', ')}`);
  print(`# ${name}`);
  await measure();
}
