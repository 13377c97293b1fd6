import { readAccess } from './explain/access.ts';
import { readAppearance, setAppearance } from './installation/appearance.ts';
import { readSettings, writeSettings } from './settings/settings.ts';
import { whatNeedsAttention } from './installation/attention.ts';
import { listRecords, listWatched } from './explain/audit.ts';
import { authorizeClient } from './login/auth.ts';
import {
  defineCameraGroup,
  listCameraGroups,
  listOfferedGroups,
  removeCameraGroup,
} from './roles/camera-groups.ts';
import { readConfiguration } from './installation/configuration.ts';
import { ownFindings } from './doctor/doctor.ts';
import type { ForeignEndpoint } from './endpoint.ts';
import { listRecentEvents, lookUpEvents } from './recorder/events.ts';
import { allowAgain, listStops, listStreams, stopStream } from './streams/streams.ts';
import { explainDecision } from './explain/explain.ts';
import { noteSeen, readSteps } from './installation/first-run.ts';
import { showLiveCamera } from './recorder/live.ts';
import { logIn, readLoginMethods } from './login/login.ts';
import { logOut, logOutByLink, openLogout, submitLogout } from './login/logout.ts';
import { readOpenapi } from './openapi/openapi.ts';
import { listCameras, readProfile } from './users/profile.ts';
import { readAddress, setAddress, tryAddress } from './recorder-address/recorder-address.ts';
import { forgetCamera, listLostCameras, renameCamera } from './recorder/lost-cameras.ts';
import { readRecorderRoles, tryRecorderRoles } from './recorder/recorder-roles.ts';
import { defineRole, showRole, listRoles, removeRole } from './roles/roles.ts';
import { changeAccess } from './people/change-access.ts';
import { nameRole } from './people/name-role.ts';
import { listPeople, showPerson } from './people/people.ts';
import { beginPasskeyLogin, logInWithPasskey, logInWithSecondFactor } from './second-factor/login.ts';
import {
  addOneTimeCode,
  beginOneTimeCode,
  makeRecoveryCodes,
  removeOneTimeCode,
} from './second-factor/one-time-code.ts';
import { addPasskey, beginPasskey, removePasskey } from './second-factor/passkeys.ts';
import { readSignInMethods, resetFactors } from './second-factor/sign-in-methods.ts';
import { beginStepUp, proveAgain } from './second-factor/step-up.ts';
import { endSession, endSessions, listSessions } from './users/sessions.ts';
import { sendAsset, sendHousePicture, showLoginPage } from './ui/ui-routes.ts';
import { blockUser, countUsers, listUserDetails } from './users/user-details.ts';
import { addUser, changePassword, changeRole, listUsers, removeUser } from './users/users.ts';
import { readVersion } from './installation/version.ts';

/*
 * The endpoints of the core, in the order of the document; those of each feature are in its folder. These lists are the source of
 * the handlers, the paths that the gate answers itself, the access rules that come before an operator's, the OpenAPI document,
 * docs/api.md and the types of the UI's calls. The gate's own paths are below `/postern/`; the others are those that a recorder's
 * own UI and its integrations call. `gate/compose-endpoints.ts` gives each group its services.
 */

/** Answered before anyone is authorized: they identify the client themselves, or not at all. */
const open = {
  login: [
    authorizeClient,
    readLoginMethods,
    logIn,
    logInWithSecondFactor,
    beginPasskeyLogin,
    logInWithPasskey,
  ],
  logout: [logOutByLink, logOut, openLogout, submitLogout],
  loginPage: [showLoginPage],
  files: [sendAsset, sendHousePicture],
} as const;

/** Answered once the request is permitted. */
const guarded = {
  profile: [readProfile, listCameras, showLiveCamera],
  users: [listUsers, addUser, changePassword, changeRole, removeUser, listUserDetails, countUsers, blockUser],
  factors: [
    resetFactors,
    readSignInMethods,
    beginPasskey,
    addPasskey,
    removePasskey,
    beginOneTimeCode,
    addOneTimeCode,
    removeOneTimeCode,
    makeRecoveryCodes,
  ],
  stepUp: [beginStepUp, proveAgain],
  roles: [listRoles, defineRole, showRole, removeRole],
  people: [listPeople, showPerson],
  accessOfPeople: [changeAccess, nameRole],
  cameraGroups: [listCameraGroups, listOfferedGroups, defineCameraGroup, removeCameraGroup],
  lostCameras: [listLostCameras, renameCamera, forgetCamera],
  recorderRoles: [readRecorderRoles, tryRecorderRoles],
  sessions: [listSessions, endSession, endSessions],
  streams: [listStreams, stopStream, listStops, allowAgain],
  explanations: [explainDecision, readAccess],
  records: [listRecords, listWatched],
  installation: [
    readConfiguration,
    readAddress,
    tryAddress,
    setAddress,
    readAppearance,
    setAppearance,
    readSettings,
    writeSettings,
  ],
  findings: [readSteps, noteSeen, ownFindings, whatNeedsAttention],
  program: [readVersion, readOpenapi],
} as const;

export const coreEndpoints = { open, guarded } as const;

/** Answered by the events app, or by the recorder: these are in the document only. */
export const eventEndpoints: readonly ForeignEndpoint[] = [lookUpEvents, listRecentEvents];
