declare const permitted: unique symbol;

/**
 * A text that gives access: a role that someone gets, a password, a factor. The tables take no other text there, and only a
 * permission makes one (`permit.ts`), so that no road to a right can forget the proof that it needs.
 */
export type Permitted = string & { readonly [permitted]: true };
