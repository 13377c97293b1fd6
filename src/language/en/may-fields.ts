/** What each thing means that a role or an API token may do. */
export const mayFields = {
  means: {
    live: 'Watch what the cameras show now.',
    history: 'See events, clips and everything else that was recorded.',
    export: 'Save recordings as files and download them.',
    ptz: 'Turn and zoom cameras, and call their presets.',
    share: 'Make links by which anyone sees a clip, an export or a camera, without an account.',
    talk: 'Speak through the loudspeakers of cameras.',
  },
};
