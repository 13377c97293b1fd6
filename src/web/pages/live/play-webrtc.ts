import { socketOf, type Playing } from './live-source.ts';
import { readMessage } from './mse-protocol.ts';

export function canPlayWebRtc(): boolean {
  return 'RTCPeerConnection' in globalThis;
}

/** Plays what the recorder sends by WebRTC: only the offer and the answer pass the gate. No server of anybody else is asked for a way. */
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
      // One that does not lead here is no harm while another does.
      if (message.kind === 'candidate')
        peer.addIceCandidate({ candidate: message.candidate, sdpMid: '0' }).catch(() => undefined);
      if (message.kind === 'error') fail();
    },
    { signal },
  );
  socket.addEventListener(
    'close',
    () => {
      // The server may hang up once both have found each other, and the gate does when the right is gone.
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
