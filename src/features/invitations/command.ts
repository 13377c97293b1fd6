import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../../cli/frame/command.ts';
import { localTime } from '../../cli/frame/output.ts';
import { onStore, type StoreWork } from '../../cli/frame/on-store.ts';
import { createUserList } from '../../accounts/users/user-list.ts';
import { millisecondsOf } from '../../config/values.ts';
import { isNamelessRole, isPersonalRoleName, isUserName } from '../../policy/names.ts';
import { unconditional } from '../../store/permit.ts';
import { createInvitations } from './invitations.ts';

interface InviteOptions {
  readonly role: string;
  /** Milliseconds. */
  readonly expiresIn: number;
  readonly by?: string;
}

/** The longest of the API too. */
const longest = 30 * 86_400_000;

export function inviteCommand(context: CommandContext): Command {
  return new Command('invite')
    .description('prints a link by which someone makes their own account, once')
    .argument('<name>', 'the user name that is proposed', parseName)
    .option('--role <role>', 'admin, viewer or a custom role', 'viewer')
    .option('--expires-in <time>', 'such as 12h or 7d, at most 30d', parseTime, 7 * 86_400_000)
    .option('--by <admin>', 'who invites; by default the first admin: the link ends when they are no admin')
    .action((name: string, options: InviteOptions) =>
      onStore(context, (work) => invite(work, name, options)),
    );
}

async function invite(
  { store, clock, configuration, record, say }: StoreWork,
  name: string,
  { role, expiresIn, by }: InviteOptions,
): Promise<void> {
  const { auth, features, publicUrl, basePath } = configuration;
  if (!auth.enabled) throw new Error('There are no accounts: auth.enabled is false');
  if (!features.has('invitations'))
    throw new Error('postern users invite is off, by features.invitations in config.yml');
  if (publicUrl === undefined)
    throw new Error('Set public_url in config.yml first: the origin at which people reach Postern');
  if (!auth.roles.has(role) || isPersonalRoleName(role)) {
    const named = [...auth.roles.keys()].filter((name) => !isNamelessRole(name));
    throw new Error(`No role ${role}: there are ${named.join(', ')}`);
  }
  const madeBy = await inviterIn(store, by);
  const expiresAt = clock.now() + expiresIn;
  const { invitation, secret } = await createInvitations(store, clock).add(
    { name, role, madeBy, expiresAt },
    unconditional,
  );
  const until = new Date(expiresAt).toISOString();
  record({
    event: 'invitation_made',
    object: invitation.id,
    detail: { invited: name, role, until, made_by: madeBy },
  });
  say(`${publicUrl}${basePath}/postern/invite/${invitation.id}#${secret}`);
  say(`for ${name} as ${role}, until ${localTime(expiresAt)}, in the name of ${madeBy}`, 'stderr');
}

/** @throws Error when there is no such admin */
async function inviterIn(store: StoreWork['store'], by: string | undefined): Promise<string> {
  const admins = await createUserList(store).list({
    role: 'admin',
    isBlocked: false,
    username: by,
    limit: 1,
  });
  const found = admins[0]?.username;
  if (found !== undefined) return found;
  throw new Error(by === undefined ? 'There is no admin yet: start Postern first' : `${by} is no admin here`);
}

function parseName(name: string): string {
  if (!isUserName(name)) throw new InvalidArgumentError('Letters, digits and ._@-, at most 64.');
  return name;
}

function parseTime(text: string): number {
  const time = millisecondsOf(text);
  if (time < 60_000 || time > longest) throw new InvalidArgumentError('Days, hours or minutes, such as 7d.');
  return time;
}
