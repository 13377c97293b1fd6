# The gateway and its nginx, as two images; docs/container.md has the steps.
#   docker build --target gateway -t postern-gateway .
#   docker build --target front -t postern-front .
# A tag can move. To build from one image for ever, give its digest: --build-arg NODE_IMAGE=node@sha256:...
ARG NODE_IMAGE=docker.io/library/node:26-slim
ARG DEBIAN_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json vite.config.ts ./
COPY script/build.ts script/bundled-packages.ts script/bill-of-materials.ts script/web-app.ts script/screens.vite.config.ts script/
COPY script/container script/container
COPY src src
# Source maps are for those who have the sources; the lists of packages are in the licences and the bill of materials.
RUN node script/build.ts && node script/bill-of-materials.ts && rm -r dist/*.map dist/packages

# The files of Debian that node needs, below /image, with their licences and their entries for scanners.
FROM ${DEBIAN_IMAGE} AS libraries
COPY --from=build /usr/local/bin/node /usr/local/bin/node
# 101 is the group of the front, which the sockets are open to. The list of trusted headers has a directory of its own, which can be
# mounted as a whole.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 \
 && install -d /image /image/var/lib/dpkg /image/usr/local/nginx/conf \
 && install -d -m 1777 /image/tmp \
 && install -d -o 1000 -g 101 -m 0750 /image/config \
 && install -d -o 1000 -g 101 -m 1770 /image/run/postern \
 && cp --parents -L $(ldd /usr/local/bin/node | grep -o '/[^ ]*') /image \
 && cp --parents -L /etc/os-release /etc/nsswitch.conf /etc/passwd /etc/group /image \
 && for package in libatomic1 libc6 libgcc-s1 libstdc++6; do \
      cp --parents -L /usr/share/doc/$package/copyright /image && dpkg-query -s $package && echo || exit 1; \
    done > /image/var/lib/dpkg/status \
 && ln -s trusted-headers/proxy_trusted_headers.conf /image/usr/local/nginx/conf/

# The gateway is node, its libraries and the bundle alone: no shell, no npm, no compiler, no packages, no sources.
FROM scratch AS gateway
LABEL org.opencontainers.image.title="Postern gateway" \
      org.opencontainers.image.description="A forward-auth gateway for camera recorders" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="MIT"
COPY --from=libraries /image /
WORKDIR /srv/postern
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY LICENSE package.json ./
COPY data data
COPY docs/openapi.json docs/
COPY proxy_trusted_headers.conf /usr/local/nginx/conf/trusted-headers/
COPY script/container/postern /usr/local/bin/postern
COPY --from=build /build/dist dist
ENV PATH=/usr/local/bin
ENV SERVICE_CONFIG_DIR=/config
ENV MALLOC_ARENA_MAX=1
# As a check, node has to start here.
RUN ["node", "--version"]
USER 1000:101
STOPSIGNAL SIGTERM
# Any place where it may be asked: behind a front, and with ports of its own.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "dist/health.js", "unix:/run/postern/metrics.sock", "unix:/run/postern/internal.sock", "127.0.0.1:5000"]
# As in script/server.
CMD ["node", "--max-old-space-size=2000", "--max-semi-space-size=4", "dist/main.js"]

# The add-on of Home Assistant: it starts as root, gives its files to the user 1000, and becomes that user.
FROM gateway AS add-on
LABEL org.opencontainers.image.title="Postern add-on"
USER 0:0
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "dist/health.js", "127.0.0.1:5000"]
CMD ["node", "--max-old-space-size=2000", "--max-semi-space-size=4", "dist/add-on.js"]

FROM ${DEBIAN_IMAGE} AS front
LABEL org.opencontainers.image.title="Postern front" \
      org.opencontainers.image.description="nginx as the front of a Postern gateway" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="MIT"
# What nginx keeps for a while goes to /tmp, the one place that can be written.
RUN apt-get update \
 && apt-get install -y --no-install-recommends nginx \
 && find / -xdev -type f -perm /6000 -exec chmod a-s {} + \
 && dpkg --purge --force-depends --force-remove-protected apt \
 && rm -rf /etc/apt /var/cache/apt /var/lib/apt \
 && rm -rf /var/lib/nginx \
 && ln -s /tmp /var/lib/nginx \
 && install -d -o 1000 -g 101 -m 1770 /run/postern
COPY nginx /usr/local/nginx/conf
COPY proxy_trusted_headers.conf /usr/local/nginx/conf/trusted-headers/
COPY LICENSE /usr/local/nginx/conf/
COPY script/container/front-health /usr/local/bin/front-health
# The loopback of a container is its own: no one outside could reach port 5000 there.
RUN ln -s trusted-headers/proxy_trusted_headers.conf /usr/local/nginx/conf/ \
 && sed -i 's/listen 127\.0\.0\.1:5000;/listen 5000;/' /usr/local/nginx/conf/nginx.conf \
 && grep -q 'listen 5000;' /usr/local/nginx/conf/nginx.conf
USER 101:101
# Requests under way come to their end.
STOPSIGNAL SIGQUIT
EXPOSE 8971 5000
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["front-health"]
ENTRYPOINT ["nginx", "-e", "stderr", "-p", "/usr/local/nginx"]
CMD ["-c", "conf/nginx.conf", "-g", "daemon off;"]
