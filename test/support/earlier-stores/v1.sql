CREATE TABLE "schema_version" ("version" integer not null);
INSERT INTO "schema_version" VALUES (1);
CREATE TABLE "users" ("username" varchar(64) primary key, "password_hash" varchar(255) not null, "role" varchar(64) not null, "session_generation" varchar(64) not null, "sessions_not_before" bigint not null, "created_at" bigint not null);
INSERT INTO "users" VALUES ('admin', 'pbkdf2_sha256$600000$1f51c7e34778a60830f0aeca32f2625c$vPYsbxNgz0GH1q7+EHmeR43462PneiBX1XRHt4mNrDE=', 'admin', 'd577def2-52ff-41ed-a1a8-06266c15809c', 1795287068, 1795287068);
INSERT INTO "users" VALUES ('vera', 'pbkdf2_sha256$600000$8fb72aa42d57e700dc9bc54b11ee5d3c$+Nm50k0fQmph6gBdOlvPBTLmScUU+YkGdLKW+ZXUFNk=', 'viewer', '01de3bfb-adf9-4b2a-8b7e-1f32fd6463ee', 1795287069, 1795287069);
INSERT INTO "users" VALUES ('olaf', 'pbkdf2_sha256$600000$9cbfc0d596b7e854c8d556989a0dbf56$LGe2gaS2Cy3gC/7Ubq2ynTv4KpNUQkAfZBksMNwRkVc=', 'operator', '81f20d3d-9787-42b1-b869-0b2b1f888c4a', 1795287069, 1795287069);
INSERT INTO "users" VALUES ('lena', 'pbkdf2_sha256$600000$0cc9d28a54eff0c9c5adc3a9bdf755b8$uKZfXDb+pNH5Dz40MBYxk4g1LZ58pxLN27ylwCs0ot8=', 'viewer', 'a3fc4e4d-36dd-4719-bfe5-2482587adc6a', 1795287071, 1795287070);
CREATE TABLE "revoked_sessions" ("session_id" varchar(64) primary key, "expires_at" bigint not null);
INSERT INTO "revoked_sessions" VALUES ('7826c0e7-4c44-4a52-8bf9-9bc488da26f2', 1795373472);
