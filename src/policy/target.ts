/** What a URI stands for. */
export type Target =
  | { readonly kind: 'public' }
  | { readonly kind: 'own-account' }
  | { readonly kind: 'neutral' }
  | { readonly kind: 'admin-only' }
  | { readonly kind: 'cameras'; readonly cameras: readonly string[] }
  | { readonly kind: 'unresolved' };
