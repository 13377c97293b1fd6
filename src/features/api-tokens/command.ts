import { isNamelessRole } from '../../policy/names.ts';
import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { listedApiToken, type ListedApiToken } from './listed-token.ts';
import { createApiTokenUses } from './uses.ts';
import { apiTokenName, createApiTokens, longestLife } from './api-tokens.ts';
import { accessInWords } from '../../accounts/roles/role-definitions.ts';
import { createUsers } from '../../accounts/users/users.ts';
import { capabilities, type Capability } from '../../policy/capability.ts';
import { isWithinOwner, scopeProblem } from '../../policy/token-scope.ts';
import { AppError } from '../../errors.ts';
import { unconditional } from '../../store/permit.ts';
import { type CommandContext, parseMay, parseNames } from '../../cli/frame/command.ts';
import { listCommand, seenOf } from '../../cli/frame/list-command.ts';
import { localTime } from '../../cli/frame/output.ts';
import { onStore, type StoreWork } from '../../cli/frame/on-store.ts';

interface AddOptions {
  readonly role?: string;
  readonly cameras?: readonly string[];
  readonly may?: readonly Capability[];
  readonly expiresIn?: number;
}

export function tokensCommand(context: CommandContext): Command {
  return new Command('tokens')
    .description('manages the API tokens')
    .addCommand(
      listCommand(context, {
        description: 'lists the API tokens: id, user, name, role, until when, last use',
        byUser: true,
        find: findTokens,
        cells,
      }),
    )
    .addCommand(
      new Command('add')
        .description('makes an API token; the token alone goes to standard output, this once')
        .argument('<user>')
        .argument('<name>', 'what it is for', parseName)
        .option(
          '--role <role>',
          'not wider than the role of its user; without it viewer, or what its user is',
        )
        .option('--cameras <names>', 'limits the token to cameras, with commas between them', parseNames)
        .option('--may <words>', `limits what the token may do: ${capabilities.join(', ')}`, parseMay)
        .option('--expires-in <time>', 'days or hours, such as 90d or 12h; without it never', parseLife)
        .action((user: string, name: string, options: AddOptions) =>
          onStore(context, (work) => add(work, user, name, options)),
        ),
    )
    .addCommand(
      new Command('revoke')
        .description('ends an API token')
        .argument('<id>', 'the id, from the list')
        .action((id: string) => onStore(context, (work) => revoke(work, id))),
    );
}

// Each look-up asks the store.
const tokensOf = ({ store, clock }: Pick<StoreWork, 'store' | 'clock'>) =>
  createApiTokens(store, { clock, storeVersion: () => Number.NaN });

async function* findTokens(work: StoreWork, user: string | undefined) {
  const { clock, configuration } = work;
  if (user !== undefined) await requireUser(work, user);
  const uses = await seenOf(work, 'the last uses', createApiTokenUses);
  const { roles } = configuration.auth;
  for (const apiToken of await tokensOf(work).list(user))
    yield listedApiToken(apiToken, uses.get(apiToken.id), clock.now(), roles);
}

/** @throws AppError `user_unknown` */
async function requireUser({ store, clock }: Pick<StoreWork, 'store' | 'clock'>, name: string) {
  const user = await createUsers(store, clock).find(name);
  if (user === undefined) throw new AppError('user_unknown');
  return user;
}

async function revoke({ store, clock, record, say }: StoreWork, id: string): Promise<void> {
  const apiTokens = tokensOf({ store, clock });
  const found = await apiTokens.find(id);
  if (found === undefined || !(await apiTokens.revoke(id, unconditional)))
    throw new Error('No such API token: postern tokens list shows their ids');
  record({ event: 'api_token_revoked', object: found.name, detail: { id, owner: found.owner } });
  say(`revoked ${found.name} of ${found.owner}`);
}

const remarks = { good: [], expired: ['EXPIRED'], too_wide: ['REFUSED: wider than its owner'] };

function cells(listed: ListedApiToken): readonly string[] {
  const {
    id,
    username,
    name,
    role,
    cameras,
    access,
    expires_at: expiresAt,
    last_used_at: usedAt,
    state,
  } = listed;
  const shown = isNamelessRole(role) ? 'guest' : role;
  const from = listed.last_used_from === null ? '' : ` from ${listed.last_used_from}`;
  return [
    id,
    username,
    name,
    [cameras === null ? shown : `${shown}: ${cameras.join(',')}`, ...accessInWords(access)].join('; '),
    expiresAt === null ? 'does not expire' : `expires ${localTime(expiresAt * 1000)}`,
    usedAt === null ? 'never used' : `used ${localTime(usedAt * 1000)}${from}`,
    ...remarks[state],
  ];
}

async function add(
  { store, clock, configuration, record, say }: StoreWork,
  owner: string,
  name: string,
  options: AddOptions,
): Promise<void> {
  const user = await requireUser({ store, clock }, owner);
  const { roles } = configuration.auth;
  const viewer = { role: 'viewer', cameras: undefined };
  const role = options.role ?? (isWithinOwner(viewer, user.role, roles) ? 'viewer' : user.role);
  const cameras = options.cameras === undefined ? undefined : new Set(options.cameras);
  const may = options.may === undefined ? undefined : new Set(options.may);
  const problem = scopeProblem({ role, cameras, may }, user.role, roles, configuration.cameras);
  if (problem !== undefined) throw new Error(problem.message);
  const expiresAt = options.expiresIn === undefined ? undefined : clock.now() + options.expiresIn;
  const { token, apiToken } = await tokensOf({ store, clock }).add(
    { owner, name, role, cameras, may, schedule: undefined, expiresAt },
    unconditional,
  );
  record({ event: 'api_token_created', object: name, detail: { id: apiToken.id, owner, role } });
  const until = expiresAt === undefined ? 'it does not expire' : `it expires ${localTime(expiresAt)}`;
  say(`made ${apiToken.id} for ${owner} as ${role}; ${until}. It is shown only once:`, 'stderr');
  say(token);
}

function parseName(name: string): string {
  const parsed = v.safeParse(apiTokenName, name);
  if (!parsed.success) throw new InvalidArgumentError(parsed.issues[0].message);
  return parsed.output;
}

/** Milliseconds. */
const units = { h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds */
function parseLife(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  const life = Number(count) * units[unit as 'h' | 'd'];
  if (count === undefined || life > longestLife * units.d)
    throw new InvalidArgumentError(`Hours or days, such as 12h or 90d; at most ${longestLife}d`);
  return life;
}
