/**
 * A recorder's configuration as `GET /api/config` of 0.17 and 0.18 answers it, with a secret at each place that may have one, as
 * their schema has them (frigate/config, frigate/detectors), whatever a release leaves out.
 * @param secret in each of them
 */
export function configurationWith(secret: string, cameras: readonly string[] = ['front', 'garage']) {
  const camera = (name: string) => ({
    name,
    enabled: true,
    friendly_name: `The ${name}`,
    webui_url: `http://admin:${secret}@10.0.0.5/`,
    live: { height: 720, quality: 8, streams: { Main: name, Token: `${name}_sub` } },
    ffmpeg: {
      path: 'default',
      global_args: ['-hide_banner', '-loglevel', 'warning'],
      hwaccel_args: 'preset-vaapi',
      input_args: ['-headers', `X-Odd: ${secret}`],
      output_args: { record: 'preset-record-generic', detect: ['-threads', '2', secret] },
      inputs: [
        {
          path: `rtsp://admin:${secret}@10.0.0.5:554/main`,
          roles: ['detect', 'record'],
          input_args: secret,
        },
        { path: `http://10.0.0.5/flv?port=1935&user=admin&password=${secret}`, roles: ['audio'] },
        { path: secret, roles: [] },
      ],
    },
    ffmpeg_cmds: [
      { roles: ['detect'], cmd: `ffmpeg -i rtsp://admin:${secret}@10.0.0.5/main ${secret}` },
      { roles: [], cmd: `cat ${secret}` },
    ],
    onvif: {
      host: '10.0.0.5',
      port: 8000,
      user: secret,
      password: secret,
      profile: 'main',
      autotracking: { enabled_in_config: true },
    },
    detect: { enabled: true, width: 1280, height: 720, fps: 5 },
    objects: { track: ['person'], filters: { person: { min_score: 0.5 } }, genai: { prompt: 'Describe it' } },
    zones: { secret_garden: { coordinates: '0,0,1,0,1,1', objects: ['person'], color: [1, 2, 3] } },
    semantic_search: { triggers: { door: { type: 'description', data: 'a red door' } } },
    profiles: { night: { ffmpeg: { inputs: [{ path: `rtsp://u:${secret}@10.0.0.5/`, roles: [] }] } } },
    base_config: { ffmpeg: { inputs: [{ path: `rtsp://u:${secret}@10.0.0.5/`, roles: [] }] } },
    notifications: { enabled: false, email: `${secret}@example.org` },
  });
  const source = `rtsp://admin:${secret}@10.0.0.5/sub`;
  return {
    version: '0.17-0',
    safe_mode: false,
    active_profile: 'home',
    environment_vars: { EVENTLET: secret, FRIGATE_PLUS: secret },
    auth: {
      enabled: false,
      cookie_name: 'frigate_token',
      session_length: 86_400,
      hash_iterations: 600_000,
      trusted_proxies: [],
      roles: { admin: [], viewer: [], guest: ['front'], watch: ['garage'] },
    },
    proxy: {
      auth_secret: secret,
      logout_url: '/logout',
      header_map: { user: 'remote-user', role: 'remote-role', role_map: { guest: ['a'], watch: ['b'] } },
    },
    mqtt: {
      enabled: true,
      host: 'broker',
      topic_prefix: 'recorder',
      user: secret,
      password: secret,
      tls_client_key: secret,
    },
    notifications: { enabled: true, email: `${secret}@example.org`, vapid_private_key: secret },
    genai: {
      openai: {
        provider: 'openai',
        model: 'gpt',
        api_key: secret,
        base_url: `https://user:${secret}@ai/`,
        provider_options: {
          headers: { 'X-Api-Key': secret, 'X-Odd': secret, roles: [secret] },
          url: `http://ai/?token=${secret}`,
          odd: { odd: [secret, 1] },
        },
        runtime_options: { temperature: 0.5, odd: secret },
        roles: ['vision'],
      },
    },
    semantic_search: { enabled: true, model: 'jinav1', api_key: secret },
    detectors: {
      cpu: { type: 'cpu', num_threads: 3, model: { labelmap: { 0: 'person' } } },
      deepstack: { type: 'deepstack', api_url: 'http://ds/v1', api_key: secret },
      degirum: { type: 'degirum', location: '@cloud', token: secret, zoo: 'degirum/public', odd: secret },
    },
    plus: { enabled: true, api_key: secret },
    model: { width: 320, height: 320, colormap: { person: [1, 2, 3] }, all_attributes: ['face'] },
    go2rtc: {
      api: { listen: ':1984', username: secret, password: secret },
      rtsp: { username: 'x', password: secret },
      env: { TOKEN: secret },
      hass: { config: secret },
      ngrok: { command: `ngrok tcp 8555 --authtoken ${secret}` },
      log: { output: secret },
      webrtc: {
        candidates: ['10.0.0.2:8555'],
        ice_servers: [{ urls: ['turn:x'], username: 'u', credential: 'for viewers', odd: secret }],
      },
      streams: {
        ...Object.fromEntries(
          cameras.flatMap((name) => [
            [name, [source, secret]],
            [`${name}_sub`, source],
          ]),
        ),
        birdseye: [],
        attic: [`exec:cat ${secret}`],
        tapo: [`tapo://${secret}@10.0.0.7`, `nest:?client_secret=${secret}`],
      },
    },
    cameras: Object.fromEntries(cameras.map((name) => [name, camera(name)])),
    camera_groups: {
      all: { cameras: [...cameras, 'birdseye'], icon: 'LuCar', order: 0 },
      garages: { cameras: ['garage'], icon: 'LuCar', order: 1 },
      one: { cameras: 'front', icon: 'LuHome', order: 2 },
    },
    classification: {
      custom: { gate: { enabled: true, state_config: { cameras: { garage: { crop: [0, 0, 1, 1] } } } } },
    },
    birdseye: { enabled: true, restream: true, width: 1280, height: 720, mode: 'objects' },
    lpr: { enabled: true, known_plates: { user: ['AB-123'] } },
    telemetry: { version_check: true, stats: { network_bandwidth: false } },
    ui: { timezone: 'UTC', time_format: 'browser', unit_system: 'metric' },
    tls: { enabled: false },
  };
}
