import { adminOf, goodPassword, printedPassword, userOf, visitor } from './log-in.ts';
import { startGateway } from './start-gateway.ts';

// Changes things until it is killed, and prints each on standard output once the gate has answered.
const [, , directory = '', run = '', adminPassword] = process.argv;
const networking = { listen: { authenticated: '127.0.0.1:0', internal: 'off' } };
const gateway = await startGateway({
  directory,
  config: { networking, auth: { failed_login_rate_limit: null } },
  ...(adminPassword === undefined ? {} : { keepConfig: true as const }),
});
const address = gateway.addresses.authenticated ?? '';
const say = (line: string) => process.stdout.write(`${line}\n`);
const admin = adminPassword === undefined ? await adminOf(gateway) : visitor(address);
if (adminPassword === undefined) {
  say(`password ${printedPassword(gateway)}`);
  await userOf(admin, address, 'vera', 'viewer');
} else if ((await admin.logIn('admin', adminPassword)).status !== 200) throw new Error('no admin');

const acknowledge = async (line: string, answer: Promise<{ readonly status: number }>) => {
  const { status } = await answer;
  if (status !== 200) throw new Error(`${line}: ${status}`);
  say(line);
};
for (let i = 0; ; i += 1) {
  const role = `r${run}.${i}`;
  await acknowledge(
    `role_defined ${role}`,
    admin.send('PUT', `/postern/api/roles/${role}`, { cameras: ['front'] }),
  );
  await acknowledge(`user_role_changed ${role}`, admin.send('PUT', '/api/users/vera/role', { role }));
  void visitor(address).send('GET', `/refused/${role}`);
  if (i % 3 === 0) await acknowledge(`login ${role}`, visitor(address).logIn('vera', goodPassword));
}
