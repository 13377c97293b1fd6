declare const permitted: unique symbol;

/**
 * A text that gives access: a granted role, a password, a factor. The tables accept no other text there, and only a permission
 * creates one (`permit.ts`), so no path to a right can skip its proof.
 */
export type Permitted = string & { readonly [permitted]: true };
