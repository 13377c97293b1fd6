import { logOutByProvider, returnFromProvider } from './logout.ts';
import { beginOidcLogin, finishOidcLogin } from './endpoints.ts';

/** Sign-in by an OpenID Connect provider. `auth.oidc` switches it on; without it, these paths lead back to the sign-in page. */
export const login = [beginOidcLogin, finishOidcLogin] as const;
export const logout = [logOutByProvider, returnFromProvider] as const;
