import { assertionKeyRoutes, type AssertionKeysApiDependencies } from './assertion/keys.ts';
import { assertionKeys } from './assertion/reference.ts';
import { attentionRoutes } from './attention/attention.ts';
import { whatNeedsAttention } from './attention/reference.ts';
import { listRecords } from './audit/reference.ts';
import { auditRoutes, type AuditDependencies } from './audit/audit.ts';
import { authRoutes, type AuthDependencies } from './auth/auth.ts';
import { configurationRoutes, type ConfigurationDependencies } from './configuration/configuration.ts';
import { currentConfiguration } from './configuration/reference.ts';
import type { Endpoint, Resource } from './endpoint.ts';
import { lookUpEvents, recentEvents } from './events/reference.ts';
import { doctorRoutes, type DoctorDependencies } from './doctor/doctor.ts';
import { ownFindings } from './doctor/reference.ts';
import { firstRunRoutes } from './first-run/first-run.ts';
import { noteSeen, readSteps } from './first-run/reference.ts';
import { exchangeRoutes, type ExchangesDependencies } from './exchanges/exchanges.ts';
import { cutExchange, listExchanges } from './exchanges/reference.ts';
import { explainRoutes, type ExplainDependencies } from './explain/explain.ts';
import { explainDecision } from './explain/reference.ts';
import { liveRoutes, type LiveDependencies } from './live/live.ts';
import { listLiveStreams } from './live/reference.ts';
import { loginRoutes, type LoginDependencies } from './login/login.ts';
import { logoutRoutes, type LogoutDependencies } from './login/logout.ts';
import { logIn, loginMethods, logOut, logOutByLink } from './login/reference.ts';
import { openapiRoutes, type OpenapiDependencies } from './openapi/openapi.ts';
import { openapiDescription } from './openapi/reference.ts';
import { backchannelLogoutRoutes, type BackchannelLogoutDependencies } from './oidc/backchannel-logout.ts';
import { loggedOutRoutes, type LoggedOutDependencies } from './oidc/logged-out.ts';
import { oidcRoutes, type OidcDependencies } from './oidc/oidc.ts';
import { cameraRoutes, profileRoutes, type ProfileDependencies } from './profile/profile.ts';
import { listCameras, ownProfile } from './profile/reference.ts';
import {
  recorderAddressRoutes,
  type RecorderAddressDependencies,
} from './recorder-address/recorder-address.ts';
import { readAddress, setAddress, tryAddress } from './recorder-address/reference.ts';
import { readRecorderRoles, tryRecorderRoles } from './recorder-roles/reference.ts';
import { recorderRolesRoutes, type RecorderRolesDependencies } from './recorder-roles/recorder-roles.ts';
import { defineRole, listRoles, removeRole } from './roles/reference.ts';
import { roleRoutes, type RolesDependencies } from './roles/roles.ts';
import { factorLoginRoutes, type FactorLoginApiDependencies } from './second-factor/login.ts';
import {
  oneTimeCodeRoutes,
  passkeyRoutes,
  recoveryCodeRoutes,
  type OwnFactorsDependencies,
} from './second-factor/own-factors.ts';
import {
  addOneTimeCode,
  addPasskey,
  beginOneTimeCode,
  beginPasskey,
  beginStepUp,
  makeRecoveryCodes,
  passkeyLogin,
  passkeyLoginOptions,
  removeOneTimeCode,
  removePasskey,
  resetFactors,
  secondFactorLogin,
  signInMethods,
  stepUp,
} from './second-factor/reference.ts';
import { factorResetRoutes, type FactorResetDependencies } from './second-factor/reset.ts';
import { signInMethodsRoutes, type SignInMethodsDependencies } from './second-factor/sign-in-methods.ts';
import { stepUpRoutes, type StepUpApiDependencies } from './second-factor/step-up.ts';
import { endSession, endSessions, listSessions } from './sessions/reference.ts';
import { sessionRoutes, type SessionsDependencies } from './sessions/sessions.ts';
import { addApiToken, listApiTokens, revokeApiToken } from './tokens/reference.ts';
import { openShareRoutes, type OpenShareDependencies } from './shares/open.ts';
import { endShare, listShares, makeShare, openShare } from './shares/reference.ts';
import { shareRoutes, type SharesDependencies } from './shares/shares.ts';
import { apiTokenRoutes, type ApiTokensDependencies } from './tokens/tokens.ts';
import { assetRoutes, loginPageRoutes, sharePageRoutes, type UiDependencies } from './ui/ui-routes.ts';
import {
  addUser,
  blockUser,
  changePassword,
  changeRole,
  countUsers,
  listUserDetails,
  listUsers,
  removeUser,
} from './users/reference.ts';
import { userDetailRoutes, type UserDetailsDependencies } from './users/user-details.ts';
import { userRoutes, type UsersDependencies } from './users/users.ts';
import { ownVersion } from './version/reference.ts';
import { versionRoutes, type VersionDependencies } from './version/version.ts';

/*
 * Every endpoint of the gate's own. The paths that the gate answers itself, the access rules that no operator's rule comes
 * before, the OpenAPI document and docs/api.md are made of these tables. What is the gate's alone stands below `/postern/`; the
 * other paths are those that a recorder's own UI and its integrations call.
 */

export type OpenServices = AssertionKeysApiDependencies &
  AuthDependencies &
  LoginDependencies &
  FactorLoginApiDependencies &
  LogoutDependencies &
  OidcDependencies &
  BackchannelLogoutDependencies &
  LoggedOutDependencies &
  OpenShareDependencies &
  UiDependencies;

export type GuardedServices = AuditDependencies &
  ConfigurationDependencies &
  DoctorDependencies &
  ExchangesDependencies &
  ExplainDependencies &
  LiveDependencies &
  OpenapiDependencies &
  ProfileDependencies &
  RecorderAddressDependencies &
  RecorderRolesDependencies &
  RolesDependencies &
  SessionsDependencies &
  SignInMethodsDependencies &
  OwnFactorsDependencies &
  StepUpApiDependencies &
  FactorResetDependencies &
  ApiTokensDependencies &
  SharesDependencies &
  UiDependencies &
  UserDetailsDependencies &
  UsersDependencies &
  VersionDependencies;

/** Everything that the endpoints take together; each takes its own few. */
export type ApiServices = OpenServices & GuardedServices;

/** Of one's own factors, which a program has none of; whoever needs one, and has none, sets it up by them. */
const ownFactor = { level: 'own-account', requiresSession: true, beforeSecondFactor: true } as const;

/** Answered before anybody is authorized: they identify whoever asks themselves, or nobody. */
export const openResources: ReadonlyArray<Resource<OpenServices>> = [
  { path: '/auth', routes: authRoutes, endpoints: [{ method: 'all', path: '', level: 'own-account' }] },
  {
    path: '/api/login',
    tag: 'Login',
    routes: loginRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'public', reference: loginMethods },
      { method: 'post', path: '', level: 'public', reference: logIn },
    ],
  },
  {
    path: '/postern/api/login',
    tag: 'Login',
    routes: factorLoginRoutes,
    endpoints: [
      { method: 'post', path: '/second-factor', level: 'public', reference: secondFactorLogin },
      { method: 'post', path: '/passkey-options', level: 'public', reference: passkeyLoginOptions },
      { method: 'post', path: '/passkey', level: 'public', reference: passkeyLogin },
    ],
  },
  {
    path: '/api/logout',
    tag: 'Login',
    routes: logoutRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'own-account', reference: logOutByLink },
      { method: 'post', path: '', level: 'own-account', reference: logOut },
    ],
  },
  {
    path: '/logout',
    routes: logoutRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'own-account' },
      { method: 'post', path: '', level: 'own-account' },
    ],
  },
  {
    path: '/login',
    routes: loginPageRoutes,
    endpoints: [{ method: 'get', path: '', level: 'public' }],
  },
  {
    path: '/postern/oidc/backchannel-logout',
    routes: backchannelLogoutRoutes,
    endpoints: [{ method: 'post', path: '', level: 'public' }],
  },
  {
    path: '/postern/oidc/logged-out',
    routes: loggedOutRoutes,
    endpoints: [{ method: 'get', path: '', level: 'public' }],
  },
  {
    path: '/postern/oidc',
    routes: oidcRoutes,
    endpoints: [
      { method: 'get', path: '/login', level: 'public' },
      { method: 'get', path: '/callback', level: 'public' },
    ],
  },
  {
    path: '/postern/api/jwks.json',
    tag: 'Assertions',
    routes: assertionKeyRoutes,
    endpoints: [{ method: 'get', path: '', level: 'public', reference: assertionKeys }],
  },
  {
    path: '/postern/assets',
    routes: assetRoutes,
    endpoints: [{ method: 'get', path: '/:name', level: 'public' }],
  },
  {
    path: '/postern/api/shares',
    tag: 'Shares',
    routes: openShareRoutes,
    endpoints: [{ method: 'post', path: '/:id/open', level: 'public', reference: openShare }],
  },
  {
    path: '/postern/share',
    routes: sharePageRoutes,
    endpoints: [{ method: 'get', path: '/:id', level: 'public' }],
  },
];

/** Answered once the request is allowed. */
export const guardedResources: ReadonlyArray<Resource<GuardedServices>> = [
  {
    path: '/api/profile',
    tag: 'Login',
    routes: profileRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'own-account', beforeSecondFactor: true, reference: ownProfile },
    ],
  },
  {
    path: '/postern/api/cameras',
    tag: 'Login',
    routes: cameraRoutes,
    endpoints: [{ method: 'get', path: '', level: 'any', namesNoCamera: true, reference: listCameras }],
  },
  {
    path: '/postern/api/live',
    tag: 'Live pictures',
    routes: liveRoutes,
    endpoints: [{ method: 'get', path: '', level: 'any', namesNoCamera: true, reference: listLiveStreams }],
  },
  {
    path: '/api/users',
    tag: 'Users',
    routes: userRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'admin-only', reference: listUsers },
      { method: 'post', path: '', level: 'admin-only', requiresSession: true, reference: addUser },
      {
        method: 'put',
        path: '/:username/password',
        level: 'own-account',
        requiresSession: true,
        reference: changePassword,
      },
      {
        method: 'put',
        path: '/:username/role',
        level: 'admin-only',
        requiresSession: true,
        reference: changeRole,
      },
      {
        method: 'delete',
        path: '/:username',
        level: 'admin-only',
        requiresSession: true,
        reference: removeUser,
      },
    ],
  },
  {
    path: '/postern/api/users',
    tag: 'Users',
    routes: userDetailRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'admin-only', reference: listUserDetails },
      { method: 'get', path: '/count', level: 'admin-only', reference: countUsers },
      {
        method: 'put',
        path: '/:username/blocked',
        level: 'admin-only',
        requiresSession: true,
        reference: blockUser,
      },
    ],
  },
  {
    path: '/postern/api/users',
    tag: 'Users',
    routes: factorResetRoutes,
    endpoints: [
      {
        method: 'delete',
        path: '/:username/factors',
        level: 'admin-only',
        requiresSession: true,
        reference: resetFactors,
      },
    ],
  },
  {
    path: '/postern/api/sign-in-methods',
    tag: 'Sign-in methods',
    routes: signInMethodsRoutes,
    endpoints: [{ method: 'get', path: '', ...ownFactor, reference: signInMethods }],
  },
  {
    path: '/postern/api/passkeys',
    tag: 'Sign-in methods',
    routes: passkeyRoutes,
    endpoints: [
      { method: 'post', path: '/options', ...ownFactor, reference: beginPasskey },
      { method: 'post', path: '', ...ownFactor, reference: addPasskey },
      { method: 'delete', path: '/:id', ...ownFactor, reference: removePasskey },
    ],
  },
  {
    path: '/postern/api/one-time-code',
    tag: 'Sign-in methods',
    routes: oneTimeCodeRoutes,
    endpoints: [
      { method: 'post', path: '/setup', ...ownFactor, reference: beginOneTimeCode },
      { method: 'post', path: '', ...ownFactor, reference: addOneTimeCode },
      { method: 'delete', path: '', ...ownFactor, reference: removeOneTimeCode },
    ],
  },
  {
    path: '/postern/api/recovery-codes',
    tag: 'Sign-in methods',
    routes: recoveryCodeRoutes,
    endpoints: [{ method: 'post', path: '', ...ownFactor, reference: makeRecoveryCodes }],
  },
  {
    path: '/postern/api/step-up',
    tag: 'Sign-in methods',
    routes: stepUpRoutes,
    endpoints: [
      { method: 'post', path: '/passkey-options', ...ownFactor, reference: beginStepUp },
      { method: 'post', path: '', ...ownFactor, reference: stepUp },
    ],
  },
  {
    path: '/postern/api/roles',
    tag: 'Roles',
    routes: roleRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'any', reference: listRoles },
      { method: 'put', path: '/:name', level: 'admin-only', reference: defineRole },
      // It makes the users of the role viewers.
      { method: 'delete', path: '/:name', level: 'admin-only', requiresSession: true, reference: removeRole },
    ],
  },
  {
    path: '/postern/api/recorder/roles',
    tag: 'Roles',
    routes: recorderRolesRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'admin-only', reference: readRecorderRoles },
      { method: 'post', path: '', level: 'admin-only', reference: tryRecorderRoles },
    ],
  },
  {
    path: '/postern/api/sessions',
    tag: 'Sessions',
    routes: sessionRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'own-account', requiresSession: true, reference: listSessions },
      { method: 'delete', path: '/:id', level: 'own-account', requiresSession: true, reference: endSession },
      { method: 'delete', path: '', level: 'own-account', requiresSession: true, reference: endSessions },
    ],
  },
  {
    path: '/postern/api/exchanges',
    tag: 'Sessions',
    routes: exchangeRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'any', reference: listExchanges },
      { method: 'delete', path: '/:id', level: 'admin-only', reference: cutExchange },
    ],
  },
  {
    path: '/postern/api/tokens',
    tag: 'API tokens',
    routes: apiTokenRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'own-account', requiresSession: true, reference: listApiTokens },
      { method: 'post', path: '', level: 'own-account', requiresSession: true, reference: addApiToken },
      {
        method: 'delete',
        path: '/:id',
        level: 'own-account',
        requiresSession: true,
        reference: revokeApiToken,
      },
    ],
  },
  {
    path: '/postern/api/shares',
    tag: 'Shares',
    routes: shareRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'own-account', reference: listShares },
      { method: 'post', path: '', level: 'own-account', reference: makeShare },
      { method: 'delete', path: '/:id', level: 'own-account', reference: endShare },
    ],
  },
  {
    path: '/postern/api/explain',
    tag: 'Decisions',
    routes: explainRoutes,
    endpoints: [{ method: 'post', path: '', level: 'admin-only', reference: explainDecision }],
  },
  {
    path: '/postern/api/audit',
    tag: 'Operation',
    routes: auditRoutes,
    endpoints: [{ method: 'get', path: '', level: 'admin-only', reference: listRecords }],
  },
  {
    path: '/postern/api/configuration',
    tag: 'Operation',
    routes: configurationRoutes,
    endpoints: [{ method: 'get', path: '', level: 'admin-only', reference: currentConfiguration }],
  },
  {
    path: '/postern/api/recorder/address',
    tag: 'Operation',
    routes: recorderAddressRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'admin-only', reference: readAddress },
      // A script has no need to ask other addresses, nor to lead everybody's requests elsewhere.
      { method: 'post', path: '', level: 'admin-only', requiresSession: true, reference: tryAddress },
      { method: 'put', path: '', level: 'admin-only', requiresSession: true, reference: setAddress },
    ],
  },
  {
    path: '/postern/api/first-run',
    tag: 'Operation',
    routes: firstRunRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'admin-only', reference: readSteps },
      { method: 'post', path: '', level: 'admin-only', reference: noteSeen },
    ],
  },
  {
    path: '/postern/api/doctor',
    tag: 'Operation',
    routes: doctorRoutes,
    endpoints: [{ method: 'get', path: '', level: 'admin-only', reference: ownFindings }],
  },
  {
    path: '/postern/api/attention',
    tag: 'Operation',
    routes: attentionRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'any', namesNoCamera: true, reference: whatNeedsAttention },
    ],
  },
  {
    path: '/postern/api/version',
    tag: 'Operation',
    routes: versionRoutes,
    endpoints: [{ method: 'get', path: '', level: 'any', namesNoCamera: true, reference: ownVersion }],
  },
  {
    path: '/postern/api/openapi.json',
    tag: 'This description',
    routes: openapiRoutes,
    endpoints: [
      { method: 'get', path: '', level: 'any', namesNoCamera: true, reference: openapiDescription },
    ],
  },
];

/** Answered by the events app, or by the recorder itself: they stand in the reference alone. */
export const eventEndpoints: readonly Endpoint[] = [
  { method: 'get', path: '/api/event_ids', level: 'any', reference: lookUpEvents },
  { method: 'get', path: '/api/events', level: 'any', reference: recentEvents },
];
