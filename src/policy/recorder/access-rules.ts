import type { AccessRule } from '../access-rule.ts';

/** Rules that the operator's cannot override: secrets of the recorder, and changes to them. */
export const lockedRules: readonly AccessRule[] = [
  // Which keys exist: the same for every installation.
  {
    methods: ['GET', 'HEAD'],
    path: '/api/config/schema.json',
    level: 'any',
    may: 'shell',
    namesNoCamera: true,
    recorded: 'now',
  },
  // Configuration with camera passwords in it, and logs.
  { path: '/api/config/*/**', level: 'admin-only', may: 'everything' },
  {
    path: '/api/logs/**',
    level: 'admin-only',
    may: 'everything',
    stricter: 'Logs name all cameras and all users.',
  },
  {
    path: '/api/go2rtc/api/config',
    level: 'admin-only',
    may: 'everything',
    stricter: 'It contains the passwords of all cameras.',
  },
  // The gate only leaves the kinds of media in the answer (`changed-answers.ts`).
  {
    path: '/api/go2rtc/api/streams',
    level: 'stream-in-src',
    may: 'live',
    recorded: 'now',
    stricter: 'It contains the addresses of all cameras.',
  },
  {
    path: '/api/go2rtc/streams',
    level: 'admin-only',
    may: 'everything',
    stricter: 'It contains the addresses of all cameras, with credentials.',
  },
];

export const recorderRules: readonly AccessRule[] = [
  // Administration.
  {
    path: '/api/config',
    level: 'admin-only',
    may: 'everything',
    stricter: 'It contains all cameras, and secrets.',
  },
  {
    path: '/api/auth/**',
    level: 'admin-only',
    may: 'everything',
    stricter: 'No one uses these accounts behind the gate.',
  },
  {
    methods: ['POST'],
    path: '/api/notifications/register/**',
    level: 'admin-only',
    may: 'everything',
    stricter: 'The recorder would send notifications about all cameras.',
  },
  { path: '/api/restart/**', level: 'admin-only', may: 'everything' },
  { path: '/api/ffprobe/**', level: 'admin-only', may: 'everything' },
  { path: '/api/ffmpeg/presets/**', level: 'admin-only', may: 'everything' },
  { path: '/api/onvif/**', level: 'admin-only', may: 'everything' },
  { path: '/api/reolink/**', level: 'admin-only', may: 'everything' },
  ...['/api/vainfo/**', '/api/nvinfo/**'].map((path): AccessRule => ({
    path,
    level: 'admin-only',
    may: 'everything',
    stricter: 'Each request starts a program on the machine.',
  })),
  { path: '/api/faces/**', level: 'admin-only', may: 'everything' },
  { path: '/api/classification/**', level: 'admin-only', may: 'everything' },
  { path: '/api/keyframe_analysis/**', level: 'admin-only', may: 'everything' },
  { path: '/api/audio_labels/**', level: 'admin-only', may: 'everything' },
  { path: '/api/media/sync/**', level: 'admin-only', may: 'everything' },
  { path: '/api/profile/active/**', level: 'admin-only', may: 'everything' },
  { path: '/api/chat/**', level: 'admin-only', may: 'everything' },
  { path: '/api/vlm/**', level: 'admin-only', may: 'everything' },
  { path: '/api/genai/**', level: 'admin-only', may: 'everything' },
  { path: '/api/triggers/**', level: 'admin-only', may: 'everything' },
  { path: '/api/debug_replay/**', level: 'admin-only', may: 'everything' },
  ...['/api/stats/history/**', '/api/recordings/storage/**'].map((path): AccessRule => ({
    path,
    level: 'admin-only',
    may: 'everything',
    stricter: 'It covers all cameras.',
  })),
  {
    path: '/api/review/summarize/**',
    level: 'admin-only',
    may: 'everything',
    stricter: 'It covers all cameras, and uses a paid service.',
  },
  {
    methods: ['POST'],
    path: '/api/*/plus/*',
    level: 'admin-only',
    may: 'everything',
    stricter: 'It sends a picture to an outside service.',
  },

  // Live streams. A WebRTC or MSE offer is a POST that changes nothing.
  // A recorder may treat any path with this beginning the same way.
  { path: '/ws*/**', level: 'any', may: 'shell', messages: true, recorded: 'now' },
  { path: '/live/jsmpeg/birdseye', level: 'every-camera', may: 'live', watch: 'live' },
  { path: '/live/jsmpeg/:camera', level: 'camera-in-path', may: 'live', recorded: 'now', watch: 'live' },
  { path: '/live/*/api/ws', level: 'camera-in-src', may: 'live', recorded: 'now', watch: 'live' },
  { path: '/live/*/*', level: 'camera-in-src', may: 'live', recorded: 'now', watch: 'live' },
  { path: '/live/**', level: 'unresolved', may: 'live' },
  // The live picture of all cameras is a stream of its own: the recorder only answers admins below this path.
  { path: '/api/birdseye/**', level: 'admin-only', may: 'everything', pictures: true },
  { path: '/api/go2rtc/streams/:stream', level: 'stream-in-path', may: 'live', recorded: 'now' },
  ...['/api/go2rtc', '/api/go2rtc/api'].flatMap((base): AccessRule[] => [
    {
      methods: ['POST'],
      path: `${base}/webrtc`,
      level: 'camera-in-src',
      may: 'live',
      changes: true,
      bodyless: true,
      recorded: 'now',
      watch: 'live',
    },
    { path: `${base}/webrtc`, level: 'camera-in-src', may: 'live', recorded: 'now', watch: 'live' },
    { path: `${base}/ws`, level: 'camera-in-src', may: 'live', recorded: 'now', watch: 'live' },
    { path: `${base}/stream.*`, level: 'camera-in-src', may: 'live', recorded: 'now', watch: 'live' },
    { path: `${base}/frame.*`, level: 'camera-in-src', may: 'live', recorded: 'now', watch: 'live' },
  ]),
  {
    path: '/api/go2rtc/**',
    level: 'admin-only',
    may: 'everything',
    pictures: true,
    stricter: 'The rest has addresses, logs and programs.',
  },

  // Segments of repackaged streams, of any camera.
  { path: '/stream/**', level: 'unresolved', may: 'live' },

  // Recordings and video on demand. A comma would make one URI refer to several files.
  {
    path: '/recordings/*/*/:camera/**',
    level: 'camera-in-path',
    may: 'history',
    recorded: 'segment',
    watch: 'recorded',
  },
  { path: '/recordings/**', level: 'unresolved', may: 'history' },
  { path: '/vod/**', having: ',', level: 'unresolved', may: 'history' },
  {
    path: '/vod/:camera/start/**',
    level: 'camera-in-path',
    may: 'history',
    recorded: 'start',
    watch: 'recorded',
  },
  {
    path: '/vod/clip/:camera/start/**',
    level: 'camera-in-path',
    may: 'history',
    recorded: 'start',
    watch: 'recorded',
  },
  {
    path: '/vod/clip/:camera/**',
    level: 'camera-in-path',
    may: 'history',
    recorded: 'ever',
    watch: 'recorded',
  },
  {
    path: '/vod/event/:event/**',
    level: 'camera-of-event',
    may: 'history',
    recorded: 'row',
    watch: 'recorded',
  },
  {
    path: '/vod/:camera/*/start/**',
    level: 'camera-in-path',
    may: 'history',
    recorded: 'ever',
    watch: 'recorded',
  },
  {
    path: '/vod/*/*/*/:camera/**',
    level: 'camera-in-path',
    may: 'history',
    recorded: 'hour',
    watch: 'recorded',
  },
  { path: '/vod/**', level: 'unresolved', may: 'history' },
  // JSON that the recorder's own web server requests.
  { path: '/api/vod/clip/:camera/start/*/end/*', level: 'camera-in-path', may: 'history', recorded: 'start' },
  { path: '/api/vod/event/:event', level: 'camera-of-event', may: 'history', recorded: 'row' },
  { path: '/api/vod/:camera/start/*/end/*', level: 'camera-in-path', may: 'history', recorded: 'start' },
  { path: '/api/vod/*/*/*/:camera/**', level: 'camera-in-path', may: 'history', recorded: 'hour' },

  // Clips, thumbnails and exports.
  ...[
    '/clips/faces/**',
    '/clips/genai-requests/**',
    '/clips/preview_restart_cache/**',
    '/clips/train/**',
    '/clips/*/train/**',
    '/clips/*/dataset/**',
  ].map((path): AccessRule => ({
    path,
    level: 'admin-only',
    may: 'everything',
    pictures: true,
    stricter: 'These are pictures of all cameras.',
  })),
  { path: '/clips/thumbs/:camera/*', level: 'camera-in-path', may: 'history', recorded: 'file' },
  {
    path: '/clips/previews/:camera/*',
    level: 'camera-in-path',
    may: 'history',
    recorded: 'file',
    watch: 'recorded',
  },
  { path: '/clips/review/:file', level: 'camera-in-file', may: 'history', recorded: 'file' },
  { path: '/clips/export/:export', level: 'camera-of-export', may: 'export', recorded: 'row' },
  { path: '/clips/export/**', level: 'unresolved', may: 'export' },
  { path: '/clips/:file', level: 'camera-in-file', may: 'history', recorded: 'file' },
  { path: '/clips/**', level: 'unresolved', may: 'history' },
  { path: '/exports/:export', level: 'camera-of-export', may: 'export', recorded: 'row', watch: 'recorded' },
  { path: '/exports/**', level: 'unresolved', may: 'export' },

  // Changes that a viewer may make: mark as reviewed, which a recorder stores per user, and start an export.
  {
    methods: ['POST'],
    path: '/api/reviews/viewed',
    recorded: 'body',
    level: 'reviews-in-body',
    may: 'history',
    changes: true,
    stricter: 'The body names the cameras, which only the relay shows to the gate.',
  },
  {
    methods: ['DELETE'],
    path: '/api/review/:review/viewed',
    recorded: 'row',
    level: 'camera-of-review',
    may: 'history',
    changes: true,
    bodyless: true,
    stricter: 'The recorder allows it for all cameras.',
  },
  {
    methods: ['POST'],
    path: '/api/exports/batch',
    recorded: 'body',
    level: 'cameras-in-body',
    may: 'export',
    changes: true,
    stricter: 'The body names the cameras, which only the relay shows to the gate.',
  },
  // To the last segment: otherwise one rule would read `custom` as the name of a camera, and another would not.
  {
    methods: ['POST'],
    path: '/api/export/custom/:camera/start/*/end/*',
    recorded: 'start',
    level: 'camera-in-path',
    may: 'export',
    changes: true,
    body: 'export',
    stricter: 'The body may name another camera, which only the relay shows to the gate.',
  },
  {
    methods: ['POST'],
    path: '/api/export/:camera/start/*/end/*',
    recorded: 'start',
    level: 'camera-in-path',
    may: 'export',
    changes: true,
    body: 'export',
    stricter: 'The body may name another camera, which only the relay shows to the gate.',
  },

  // Events, reviews, previews and exports by API. A search compares with an event of any camera, and unfiltered summaries and lists
  // cover all cameras.
  { path: '/api/event_ids', level: 'camera-of-events', may: 'history', recorded: 'row' },
  { path: '/api/events', level: 'list', may: 'history', filter: 'cameras', recorded: 'after' },
  { path: '/api/events/explore', level: 'list', may: 'history', recorded: 'ever' },
  {
    path: '/api/events/search',
    level: 'list',
    may: 'history',
    filter: 'cameras',
    unfilteredWith: 'event_id',
    recorded: 'after',
  },
  { path: '/api/events/summary', level: 'list', may: 'history', recorded: 'ever' },
  { path: '/api/events/:event/**', level: 'camera-of-event', may: 'history', recorded: 'row' },
  { path: '/api/review', level: 'list', may: 'history', filter: 'cameras', recorded: 'after' },
  { path: '/api/review/summary', level: 'list', may: 'history', filter: 'cameras', recorded: 'ever' },
  { path: '/api/review/activity/*', level: 'list', may: 'history', filter: 'cameras', recorded: 'after' },
  { path: '/api/review_ids', level: 'camera-of-reviews', may: 'history', recorded: 'row' },
  { path: '/api/review/event/:event', level: 'camera-of-event', may: 'history', recorded: 'ever' },
  { path: '/api/review/:review/**', level: 'camera-of-review', may: 'history', recorded: 'row' },
  { path: '/api/preview/:file/thumbnail.*', level: 'camera-in-file', may: 'history', recorded: 'file' },
  // `all` is not a camera here, whatever cameras are called.
  { path: '/api/preview/all/start/*/end/*', level: 'list', may: 'history', recorded: 'start' },
  { path: '/api/preview/*/*/*/all/*', level: 'list', may: 'history', recorded: 'hour' },
  { path: '/api/preview/:camera/start/**', level: 'camera-in-path', may: 'history', recorded: 'start' },
  { path: '/api/preview/*/*/*/:camera/**', level: 'camera-in-path', may: 'history', recorded: 'hour' },
  // Recorders before 0.18 ignore this parameter.
  {
    path: '/api/exports',
    level: 'list',
    may: 'export',
    filter: 'cameras',
    isFilterNew: true,
    recorded: 'ever',
  },
  { path: '/api/exports/:export', level: 'camera-of-export', may: 'export', recorded: 'row' },
  { path: '/api/jobs/export', level: 'list', may: 'export', recorded: 'ever' },
  { path: '/api/jobs/export/:export', level: 'camera-of-export', may: 'export', recorded: 'row' },
  { path: '/api/export/:camera/**', level: 'camera-in-path', may: 'export', recorded: 'ever' },

  // Lists over several cameras.
  // Before 0.18 the recorder does not filter labels and sub_labels by role; its own UI requests them for everyone.
  { path: '/api/labels', level: 'list', may: 'history', filter: 'camera', recorded: 'ever' },
  { path: '/api/recognized_license_plates', level: 'list', may: 'history', recorded: 'ever' },
  { path: '/api/recordings/summary', level: 'list', may: 'history', filter: 'cameras', recorded: 'ever' },
  {
    path: '/api/recordings/unavailable',
    level: 'list',
    may: 'history',
    filter: 'cameras',
    recorded: 'after',
  },
  // The gate removes other cameras from its answer (`changed-answers.ts`).
  {
    path: '/api/stats',
    level: 'any',
    may: 'shell',
    namesNoCamera: true,
    recorded: 'now',
    stricter: 'Before 0.18, the recorder shows all cameras, which only the relay removes.',
  },
  { path: '/api/sub_labels', level: 'list', may: 'history', recorded: 'ever' },
  { path: '/api/timeline', level: 'list', may: 'history', filter: 'camera', recorded: 'source' },
  { path: '/api/timeline/hourly', level: 'list', may: 'history', filter: 'cameras', recorded: 'after' },
  {
    path: '/api/metrics',
    level: 'every-camera',
    may: 'history',
    stricter: 'It counts what all cameras saw.',
  },

  // Paths that name no camera.
  { path: '/api/notifications/pubkey', level: 'any', may: 'shell', namesNoCamera: true, recorded: 'now' },
  { path: '/api/plus/models', level: 'any', may: 'shell', namesNoCamera: true, recorded: 'now' },
  { path: '/api/version', level: 'any', may: 'shell', namesNoCamera: true, recorded: 'now' },
  { path: '/api', level: 'any', may: 'shell', recorded: 'now' },
  { path: '/api/', level: 'any', may: 'shell', namesNoCamera: true, recorded: 'now' },

  // A motion search; the body names the picture.
  {
    methods: ['POST'],
    path: '/api/:camera/search/motion',
    recorded: 'ever',
    level: 'camera-in-path',
    may: 'history',
    changes: true,
    bodyless: true,
  },
  {
    methods: ['POST'],
    path: '/api/:camera/search/motion/*/cancel',
    level: 'camera-in-path',
    may: 'history',
    changes: true,
    recorded: 'ever',
  },

  // Everything below a camera; an unconfigured camera would look like the rules after it.
  // A release from 0.18 on answers `/api/cases` with its exports, whatever cameras are called.
  { path: '/api/:known', having: '/cases', level: 'camera-in-path', may: 'everything', recorded: 'ever' },
  { path: '/api/:known', level: 'camera-in-path', may: 'live', recorded: 'now', watch: 'live' },
  {
    path: '/api/:known/latest.*',
    level: 'camera-in-path',
    may: 'live',
    recorded: 'now',
    still: true,
    watch: 'live',
  },
  { path: '/api/:known/ptz/info', level: 'camera-in-path', may: 'live', recorded: 'now' },
  { path: '/api/:known/recordings', level: 'camera-in-path', may: 'history', recorded: 'after' },
  { path: '/api/:known/recordings/summary', level: 'camera-in-path', may: 'history', recorded: 'ever' },
  {
    path: '/api/:known/recordings/*/snapshot.*',
    level: 'camera-in-path',
    may: 'history',
    recorded: 'frame',
    watch: 'recorded',
  },
  { path: '/api/:known/search/motion/*', level: 'camera-in-path', may: 'history', recorded: 'ever' },
  {
    path: '/api/:known/start/**',
    level: 'camera-in-path',
    may: 'history',
    recorded: 'start',
    watch: 'recorded',
  },
  // Of the last event with a label.
  ...['best.jpg', 'clip.mp4', 'snapshot.jpg', 'thumbnail.jpg'].map((file): AccessRule => ({
    path: `/api/:known/*/${file}`,
    level: 'camera-in-path',
    may: 'history',
    recorded: 'ever',
  })),
  { path: '/api/:known/**', level: 'camera-in-path', may: 'everything', recorded: 'ever' },
  // New in 0.18: before, the first segment would be a camera.
  { path: '/api/profiles', level: 'any', may: 'shell', recorded: 'now' },
  { path: '/api/cases', level: 'any', may: 'export', recorded: 'ever' },
  { path: '/api/cases/*', level: 'any', may: 'export', recorded: 'ever' },
  { path: '/api/cases/*/download', level: 'list', may: 'export', recorded: 'ever' },
  { path: '/api/*/**', level: 'unresolved', may: 'everything' },

  { path: '/**', level: 'any', may: 'shell', recorded: 'now' },
];
