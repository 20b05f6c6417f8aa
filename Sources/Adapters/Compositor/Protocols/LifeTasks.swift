import CWlroots
import LifeService
import Lifecycle
import WaylandServer

/// Tells a client about its app's life, and lets it begin tasks.
final class AppLifeObject: ResourceOwner, LifeClient {
    private unowned let manager: LifeManager
    private let caller: LifeCaller
    private var resource: WaylandResource?

    static let requests = Requests(
        mullion_app_life_v1_requests(
            destroy: destroyResource,
            begin_task: { owner(of: $1, as: AppLifeObject.self).beginTask($0, $2, $3!) }))

    init(_ manager: LifeManager, _ caller: LifeCaller) {
        self.manager = manager
        self.caller = caller
    }

    func begin(_ resource: WaylandResource) {
        self.resource = resource
        if let phase = manager.host?.follow(caller, self) { phaseChanged(phase) }
    }

    private func beginTask(_ client: WaylandClient?, _ id: UInt32, _ name: UnsafePointer<CChar>) {
        guard let name = manager.validName(name, resource, MULLION_APP_LIFE_V1_ERROR_INVALID_NAME.rawValue) else { return }
        let task = TaskObject(manager)
        let made = makeResource(
            client, mw_interface_mullion_background_task_v1(), version: wl_resource_get_version(resource), id: id,
            TaskObject.requests, owner: task)
        if let made { task.begin(made, name, caller) }
    }

    func phaseChanged(_ phase: VisiblePhase) {
        let value =
            switch phase {
            case .active: MULLION_APP_LIFE_V1_PHASE_ACTIVE
            case .inactive: MULLION_APP_LIFE_V1_PHASE_INACTIVE
            case .background: MULLION_APP_LIFE_V1_PHASE_BACKGROUND
            }
        if let resource { mullion_app_life_v1_send_phase(resource, value.rawValue) }
    }

    func resumed(after seconds: Double) {
        if let resource { mullion_app_life_v1_send_resumed(resource, milliseconds(seconds)) }
    }

    func memoryIsLow() {
        if let resource { mullion_app_life_v1_send_memory_low(resource) }
    }

    func resourceDestroyed() {
        resource = nil
        manager.host?.unfollow(self)
    }
}

/// A background task of a client. It ends with its object.
final class TaskObject: ResourceOwner, LifeClient {
    private unowned let manager: LifeManager
    private var resource: WaylandResource?
    /// nil if the task was refused.
    private var id: TaskID?

    static let requests = Requests(
        mullion_background_task_v1_requests(
            destroy: destroyResource,
            set_progress: { owner(of: $1, as: TaskObject.self).advance(to: wl_fixed_to_double($2)) }))

    init(_ manager: LifeManager) { self.manager = manager }

    func begin(_ resource: WaylandResource, _ name: String, _ caller: LifeCaller) {
        self.resource = resource
        do throws(LifeError) {
            id = try manager.host?.beginTask(name, by: caller, for: self)
        } catch {
            mullion_background_task_v1_send_expired(resource)
        }
    }

    private func advance(to progress: Double) {
        do throws(LifeError) {
            try LifeLimits.check(progress: progress)
            if let id { manager.host?.advanceTask(id, to: progress) }
        } catch {
            mw_post_error(resource, MULLION_BACKGROUND_TASK_V1_ERROR_INVALID_PROGRESS.rawValue, error.text)
        }
    }

    func taskExpires(_ id: TaskID, in seconds: Double) {
        if let resource { mullion_background_task_v1_send_expires(resource, milliseconds(seconds)) }
    }

    func taskExpired(_ id: TaskID) {
        if let resource { mullion_background_task_v1_send_expired(resource) }
    }

    func resourceDestroyed() {
        resource = nil
        if let id { manager.host?.endTask(id) }
        id = nil
    }
}

private func milliseconds(_ seconds: Double) -> UInt32 { UInt32(clamping: Int64(max(0, min(seconds, 4e6)) * 1000)) }
