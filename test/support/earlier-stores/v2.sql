CREATE TABLE "schema_version" ("version" integer not null);
INSERT INTO "schema_version" VALUES (2);
CREATE TABLE "users" ("username" varchar(64) primary key, "password_hash" varchar(255) not null, "role" varchar(64) not null, "session_generation" varchar(64) not null, "sessions_not_before" bigint not null, "created_at" bigint not null, "generated_password_unused" integer default 0 not null);
INSERT INTO "users" VALUES ('admin', 'pbkdf2_sha256$600000$56ea1edc743447a884cb36fd316c8cbb$5P45N+a0TGdYEu8jpACv17U01vtcKg/JJS70FCvdivU=', 'admin', '6f48daee-f3fa-4df1-988c-b618f713de12', 1795287072, 1795287072, 1);
INSERT INTO "users" VALUES ('vera', 'pbkdf2_sha256$600000$e3176c6d0021eec98f1458a6f3d227b4$dnigmadz5eg/pNqPU05F5BNN+/OB8A2LZ3jDcBbN1SA=', 'viewer', 'd3c310ef-1536-4304-9d9e-b8eb290c4098', 1795287072, 1795287072, 0);
INSERT INTO "users" VALUES ('olaf', 'pbkdf2_sha256$600000$fae9dc15acb7bac683abae884c2120a3$mPF5nhIacutg+HCzt0Y8/NRXjjwYYdFjob8D/n0jnPE=', 'operator', '368b1e0c-789e-4854-aa70-b3b967f2bb0c', 1795287073, 1795287073, 0);
INSERT INTO "users" VALUES ('lena', 'pbkdf2_sha256$600000$d44befe325e0ebe12c23f9199b486f13$5kqBXZh6g4WnMsujt3Iqlq2Rs3tkCafgEjH8keJTWi8=', 'viewer', '5b8ce980-7211-4e33-bca4-782919ca7fdf', 1795287074, 1795287073, 0);
CREATE TABLE "revoked_sessions" ("session_id" varchar(64) primary key, "expires_at" bigint not null);
INSERT INTO "revoked_sessions" VALUES ('1905f133-8009-4541-a5b7-71d642ce20c6', 1795373476);
