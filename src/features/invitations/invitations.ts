import { hash, randomBytes } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { unconditional, type Permission, type Permit, type Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { insertPasskey, type NewPasskey, type Once } from '../../accounts/second-factor/factors.ts';
import { isSecretOf } from '../../accounts/users/credentials.ts';
import { addPersonalRole, isPersonal } from '../../accounts/users/personal-roles.ts';
import { insertUser } from '../../accounts/users/user-rows.ts';

/** A link by which someone gets an account, once. Times are milliseconds since the epoch. */
export interface Invitation {
  /** Not secret. */
  readonly id: string;
  /** The user name that is proposed. */
  readonly name: string | undefined;
  readonly role: string;
  /** The role was made for it, and is deleted with it if it ends unused. */
  readonly makesRole: boolean;
  /** The admin who made it. */
  readonly madeBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

type NewInvitation = Omit<Invitation, 'id' | 'makesRole' | 'createdAt'>;

/** With its secret, which is stored nowhere. */
interface MadeInvitation {
  readonly invitation: Invitation;
  readonly secret: string;
}

/** Credential with which the new user signs in. */
type NewCredential =
  | { readonly passwordHash: string }
  | { readonly passkey: NewPasskey; readonly once: Once };

/** Every change checks its permit in its own transaction, and throws the permit's errors. */
export interface Invitations {
  /** @returns those that can still be used, newest first */
  list(): Promise<Invitation[]>;
  find(id: string): Promise<Invitation | undefined>;
  /** To a role that exists. @throws AppError `too_many_invitations`, `role_unknown` for one that belongs to another invitation */
  add(wanted: NewInvitation, permit: Permit): Promise<MadeInvitation>;
  /** As `add`, in the transaction that makes a role for it. */
  addWithRole(
    wanted: NewInvitation,
    on: Transaction<Tables>,
    permission: Permission,
  ): Promise<MadeInvitation>;
  /** @returns the invitation of a link. @throws AppError `invitation_over` unless it can be used at this moment */
  open(id: string, secret: string): Promise<Invitation>;
  /**
   * Makes the account, and uses the invitation up: of several that try at once, one succeeds.
   * @param requireRole throws unless the role is defined by what the transaction reads
   * @throws AppError `invitation_over`, `user_exists`, `passkey_exists`, `challenge_expired`
   */
  accept(
    link: { readonly id: string; readonly secret: string },
    username: string,
    credential: NewCredential,
    requireRole: (role: string, on: Reading) => Promise<void>,
  ): Promise<Invitation>;
  /** @returns the invitation if it existed */
  revoke(id: string, permit: Permit): Promise<Invitation | undefined>;
  /** Deletes those that have expired, or whose maker is no admin. @returns them */
  prune(): Promise<readonly Invitation[]>;
}

const mostOpen = 100;

const idForm = /^[\w-]{16}$/;

export function isInvitationId(text: string): boolean {
  return idForm.test(text);
}

export function createInvitations(store: Store, clock: Clock): Invitations {
  const now = () => wholeSeconds(clock.now());
  const rows = (on: Reading) => on.selectFrom('invitations').selectAll();

  /** An invitation counts as long as the admin who made it is one, and can sign in. @returns the admin's id; otherwise undefined */
  const findMaker = async (on: Reading, madeBy: string): Promise<string | undefined> => {
    const maker = await on
      .selectFrom('users')
      .select('user_id')
      .where('username', '=', madeBy)
      .where('role', '=', 'admin')
      .where('blocked', 'is', null)
      .executeTakeFirst();
    return maker?.user_id;
  };
  const require = async (on: Reading, id: string, secret: string) => {
    const row = idForm.test(id)
      ? await rows(on).where('invitation_id', '=', id).executeTakeFirst()
      : undefined;
    const isRight = isSecretOf(row && { secretHash: row.secret_hash }, secret);
    const maker = row !== undefined && row.expires_at > now() ? await findMaker(on, row.made_by) : undefined;
    if (row === undefined || maker === undefined || !isRight) throw new AppError('invitation_over');
    return { invitation: invitationOf(row), maker };
  };

  const insert = async (
    on: Transaction<Tables>,
    { requireProof, grant }: Permission,
    { name, role, madeBy, expiresAt }: NewInvitation,
    makesRole: boolean,
  ): Promise<MadeInvitation> => {
    requireProof();
    const { count } = await on
      .selectFrom('invitations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count >= mostOpen) throw new AppError('too_many_invitations');
    const secret = randomBytes(32).toString('base64url');
    const row = {
      invitation_id: randomBytes(12).toString('base64url'),
      name: name ?? null,
      role,
      makes_role: makesRole ? 1 : 0,
      made_by: madeBy,
      created_at: now(),
      expires_at: wholeSeconds(expiresAt),
    };
    await on
      .insertInto('invitations')
      .values({ ...row, role: grant(role), secret_hash: hash('sha256', secret, 'hex') })
      .execute();
    return { invitation: invitationOf(row), secret };
  };

  return {
    list: async () => {
      const found = await rows(store)
        .where('expires_at', '>', now())
        .orderBy('created_at', 'desc')
        .orderBy('invitation_id')
        .execute();
      return found.map(invitationOf);
    },

    find: async (id) => {
      const row = await rows(store)
        .where('invitation_id', '=', id)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return row && invitationOf(row);
    },

    add: (wanted, permit) =>
      store.change(permit, async (on, permission) => {
        if (await isPersonal(on, wanted.role)) throw new AppError('role_unknown');
        return insert(on, permission, wanted, false);
      }),

    addWithRole: async (wanted, on, permission) => {
      await addPersonalRole(on, wanted.role);
      return insert(on, permission, wanted, true);
    },

    open: async (id, secret) => (await require(store, id, secret)).invitation,

    accept: ({ id, secret }, username, credential, requireRole) =>
      // The admin gave the right with a proof when making it.
      store.change(unconditional, async (on, permission) => {
        const { invitation, maker } = await require(on, id, secret);
        await requireRole(invitation.role, on);
        const { numDeletedRows } = await on
          .deleteFrom('invitations')
          .where('invitation_id', '=', id)
          .executeTakeFirst();
        if (numDeletedRows !== 1n) throw new AppError('invitation_over');
        const { role } = invitation;
        const passwordHash = 'passwordHash' in credential ? credential.passwordHash : '';
        await insertUser(on, { username, role, passwordHash, invitedBy: maker }, permission, clock);
        if ('passkey' in credential) await insertPasskey(on, permission, { username, ...credential }, clock);
        permission.alert('invitation_used', { user: username, by: invitation.madeBy });
        return invitation;
      }),

    revoke: async (id, permit) => {
      const row = await store.change(permit, (on) =>
        on.deleteFrom('invitations').where('invitation_id', '=', id).returningAll().executeTakeFirst(),
      );
      return row && invitationOf(row);
    },

    prune: async () => {
      const all = (await rows(store).execute()).map(invitationOf);
      const over: Invitation[] = [];
      for (const invitation of all)
        if (invitation.expiresAt <= clock.now() || (await findMaker(store, invitation.madeBy)) === undefined)
          over.push(invitation);
      if (over.length === 0) return [];
      const ids = over.map(({ id }) => id);
      // Another process may have been faster.
      const deleted = await store.change(unconditional, (on) =>
        on.deleteFrom('invitations').where('invitation_id', 'in', ids).returningAll().execute(),
      );
      return deleted.map(invitationOf);
    },
  };
}

function invitationOf(row: Omit<Selectable<Tables['invitations']>, 'secret_hash'>): Invitation {
  return {
    id: row.invitation_id,
    name: row.name ?? undefined,
    role: row.role,
    makesRole: row.makes_role === 1,
    madeBy: row.made_by,
    createdAt: row.created_at * 1000,
    expiresAt: row.expires_at * 1000,
  };
}
