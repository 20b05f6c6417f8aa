import CWlroots
import WaylandServer

/// Tells the shell whose clipboard, primary selection or drag somebody wants. A process that stands still has to go on before
/// it can hand it over.
final class SelectionOwners {
    private unowned let compositor: Compositor
    /// Processes of owners that were asked in this turn of the loop.
    private var asked: Set<Int32> = []
    private var isX11Asked = false
    private var telling: AfterTurn?

    init(_ context: Protocols.Context, _ compositor: Compositor) {
        self.compositor = compositor
        // libwayland is in the middle of sending the event, and the shell may send others.
        telling = AfterTurn(context.loop) { [unowned self] in tell() }
    }

    fileprivate func wanted(from client: WaylandClient?) {
        let process = Clients.process(of: client)
        guard process > 0 else { return }
        asked.insert(process)
        telling?.ask()
    }

    fileprivate func wantedFromX11() {
        isX11Asked = true
        telling?.ask()
    }

    private func tell() {
        let (processes, isX11) = (asked, isX11Asked)
        (asked, isX11Asked) = ([], false)
        for process in processes.sorted() { compositor.onOwnerAsked(.process(process)) }
        if isX11 { compositor.onOwnerAsked(.x11) }
    }
}

/// Who is asked for what was copied or is dragged.
public enum SelectionOwner: Hashable, Sendable {
    case process(Int32)
    /// Some X11 program: only the X server knows which.
    case x11
}

@_cdecl("mw_owner_asked") func ownerAsked(_ server: OpaquePointer, _ client: OpaquePointer?) {
    Compositor.of(server).protocols?.selectionOwners.wanted(from: client)
}

@_cdecl("mw_x11_owner_asked") func x11OwnerAsked(_ server: OpaquePointer) {
    Compositor.of(server).protocols?.selectionOwners.wantedFromX11()
}
