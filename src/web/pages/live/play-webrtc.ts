import { socketOf, type Playing } from './live-player.ts';
import { readMessage } from './play-mse.ts';

export function canPlayWebRtc(): boolean {
  return 'RTCPeerConnection' in globalThis;
}

/**
 * Plays the recorder's WebRTC stream: only offer and answer pass through Postern. No third-party server helps to find a
 * route.
 */
export function playWebRtc({ stream, video, onPlaying, onFailed, onDoubt, signal }: Playing): void {
  const peer = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
  const socket = new WebSocket(socketOf('webrtc', stream));
  const fail = () => {
    if (!signal.aborted) onFailed();
  };
  signal.addEventListener(
    'abort',
    () => {
      socket.close();
      peer.close();
      video.srcObject = null;
    },
    { once: true },
  );
  for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' });
  video.srcObject = new MediaStream(peer.getReceivers().map(({ track }) => track));
  const send = (type: string, value: string) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, value }));
  };

  socket.addEventListener(
    'open',
    () => {
      peer.addEventListener('icecandidate', ({ candidate }) => {
        if (candidate !== null) send('webrtc/candidate', candidate.candidate);
      });
      peer
        .setLocalDescription()
        .then(() => send('webrtc/offer', peer.localDescription?.sdp ?? ''))
        .catch(fail);
    },
    { signal },
  );
  socket.addEventListener(
    'message',
    ({ data }: MessageEvent<unknown>) => {
      const message = readMessage(String(data));
      if (message.kind === 'answer')
        peer.setRemoteDescription({ type: 'answer', sdp: message.sdp }).catch(fail);
      // A candidate that does not lead here does no harm while another does.
      if (message.kind === 'candidate')
        peer.addIceCandidate({ candidate: message.candidate, sdpMid: '0' }).catch(() => undefined);
      if (message.kind === 'error') fail();
    },
    { signal },
  );
  socket.addEventListener(
    'close',
    () => {
      // The server may hang up once both peers are connected, and Postern does when access is revoked.
      if (peer.connectionState === 'connected') onDoubt();
      else fail();
    },
    { signal },
  );
  peer.addEventListener('connectionstatechange', () => {
    if (['failed', 'disconnected', 'closed'].includes(peer.connectionState)) fail();
  });
  video.addEventListener('timeupdate', onPlaying, { signal });
  video.play().catch(fail);
}
