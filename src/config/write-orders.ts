/*
 * A change of config.yml takes effect when its new text is in the place of the old one; a change of the store, when the store commits. A disk
 * that is full, or a power failure, can come between the two. A role that users have and that config.yml lacks makes them viewers of
 * everything, so each change has the order in which a cut leaves no one more than before or after it.
 */

/** The order in which config.yml and the store get a change. */
type Order =
  /** config.yml, in the transaction that asks the permit. The store gets nothing. */
  | 'file alone'
  /** config.yml, then the store: for a name that the store then gives to someone. A cut leaves a name that no one has. */
  | 'file first'
  /**
   * The store, then config.yml: for a name that is taken away from those who have it, and for the new name of a camera, which the store gives to
   * what narrows access before config.yml gives it to roles. The new text is written and synced beside the file,
   * the store commits, and the text gets its place. A cut leaves a name that no one has.
   */
  | 'store first';

/** Each change that writes config.yml, with its order. Nothing else can write it: a new one does not compile without an entry. */
export const writeOrders = {
  'role defined': 'file alone',
  'personal role named': 'file first',
  'role removed': 'store first',
  'copied roles removed': 'file alone',
  'camera renamed': 'store first',
  'camera group defined': 'file alone',
  'camera group removed': 'file alone',
  'roles imported': 'file first',
  'settings changed': 'file alone',
  'appearance changed': 'file alone',
  'recorder connected': 'file alone',
} as const satisfies Record<string, Order>;

type In<Wanted extends Order> = {
  [Name in keyof typeof writeOrders]: (typeof writeOrders)[Name] extends Wanted ? Name : never;
}[keyof typeof writeOrders];

/** A change whose text gets its place before the store commits. */
export type FileFirst = In<'file alone' | 'file first'>;

/** A change whose text gets its place after the store has committed. */
export type StoreFirst = In<'store first'>;
